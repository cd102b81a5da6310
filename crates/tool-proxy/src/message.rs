//! A line of a connection as a JSON-RPC message: [`Message`].
//!
//! The parts of a message are slices of its line, so that the line can be forwarded as it is, or with one part replaced.
//!
//! Invariant: a line is only a message if every JSON parser finds the same message in it, so a line with a repeated member is none.

use std::borrow::Cow;

use rmcp::model::RequestId;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// The largest number of bytes of an id. Ids are kept until their requests are answered.
const LONGEST_ID: usize = 1_024;

/// The replacement of a part of a line.
pub(super) struct Splice<'l> {
    pub(super) part: &'l str,
    pub(super) text: Cow<'l, str>,
}

/// A message, with slices of its line.
pub(super) enum Message<'l> {
    Request {
        id: RequestId,
        method: Cow<'l, str>,
        params: &'l str,
    },
    Notification {
        method: Cow<'l, str>,
        params: &'l str,
    },
    Response {
        id: RequestId,
        answer: Answer<'l>,
    },
    /// The report of an error that belongs to no request.
    Error,
}

/// The content of a response, as JSON text.
#[derive(Clone, Copy)]
pub(super) enum Answer<'l> {
    Result(&'l str),
    Error(&'l str),
}

/// The reason why a line is not a message.
#[derive(Debug, PartialEq)]
pub(super) enum NoMessage {
    /// A JSON array, which revision 2025-03-26 allowed for several messages.
    Batch,
    Unreadable,
}

/// The members of a message that matter here. `serde` refuses a repeated one.
#[derive(Deserialize)]
struct Members<'l> {
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'l RawValue>,
    #[serde(borrow, default)]
    method: Option<Cow<'l, str>>,
    #[serde(borrow, default, deserialize_with = "present")]
    params: Option<&'l RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'l RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'l RawValue>,
}

/// Deserializes a member that is present, also if it is `null`.
pub(super) fn present<'l, D: Deserializer<'l>>(deserializer: D) -> Result<Option<&'l RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Parses an object. An array is not accepted, although `serde` would take its items for the members.
pub(super) fn object<'l, T: Deserialize<'l>>(text: &'l str) -> Option<T> {
    text.starts_with('{').then(|| serde_json::from_str(text).ok())?
}

impl<'l> Message<'l> {
    /// Parses a line.
    pub(super) fn of(line: &'l str) -> Result<Self, NoMessage> {
        let text = line.strip_prefix('\u{feff}').unwrap_or(line).trim_ascii_start();
        if text.starts_with('[') {
            return Err(NoMessage::Batch);
        }
        let Members { id, method, params, result, error } = object(text).ok_or(NoMessage::Unreadable)?;
        let has_null_id = id.is_some_and(|id| id.get() == "null");
        let id = id.map(RawValue::get).filter(|id| id.len() <= LONGEST_ID).and_then(id_of);
        let params = params.map_or("", RawValue::get);
        match (id, method, result, error) {
            (Some(id), Some(method), None, None) => Ok(Self::Request { id, method, params }),
            (None, Some(method), None, None) if !has_null_id => Ok(Self::Notification { method, params }),
            (Some(id), None, Some(result), None) => Ok(Self::Response { id, answer: Answer::Result(result.get()) }),
            (Some(id), None, None, Some(error)) => Ok(Self::Response { id, answer: Answer::Error(error.get()) }),
            (None, None, None, Some(_)) => Ok(Self::Error),
            _ => Err(NoMessage::Unreadable),
        }
    }
}

/// Parses an id, given as JSON text.
fn id_of(text: &str) -> Option<RequestId> {
    // Most ids are integers. The deserializer of `RequestId` tries each form in turn.
    text.parse().map(RequestId::Number).or_else(|_| serde_json::from_str(text)).ok()
}

/// Returns the parts of a batch. Parts that are not messages are left out.
pub(super) fn batch(line: &str) -> Vec<Message<'_>> {
    let parts: Vec<&RawValue> = serde_json::from_str(line).unwrap_or_default();
    parts.into_iter().filter_map(|part| Message::of(part.get()).ok()).collect()
}

/// Replaces parts of a line, all of which are slices of it.
pub(super) fn replaced(line: &str, mut splices: Vec<Splice<'_>>) -> String {
    let start_of = |part: &str| part.as_ptr().addr() - line.as_ptr().addr();
    splices.sort_by_key(|splice| start_of(splice.part));
    let grown: usize = splices.iter().map(|splice| splice.text.len()).sum();
    let mut text = String::with_capacity(line.len() + grown);
    let mut copied = 0;
    for Splice { part, text: replacement } in splices {
        let start = start_of(part);
        text.push_str(&line[copied..start]);
        text.push_str(&replacement);
        copied = start + part.len();
    }
    text.push_str(&line[copied..]);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> &'static str {
        match Message::of(line) {
            Ok(Message::Request { .. }) => "request",
            Ok(Message::Notification { .. }) => "notification",
            Ok(Message::Response { answer: Answer::Result(_), .. }) => "result",
            Ok(Message::Response { answer: Answer::Error(_), .. }) => "error",
            Ok(Message::Error) => "error without a request",
            Err(NoMessage::Batch) => "batch",
            Err(NoMessage::Unreadable) => "none",
        }
    }

    #[test]
    fn each_kind_of_message_is_recognized_by_its_members() {
        for (line, expected) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, "request"),
            (r#" {"method":"ping","id":"a","params":null,"extra":[1,{"id":2}]}"#, "request"),
            ("\u{feff}{\"m\\u0065thod\":\"ping\",\"id\":1.0}", "request"),
            (r#"{"method":"notifications/x"}"#, "notification"),
            (r#"{"id":1,"result":null}"#, "result"),
            (r#"{"id":1,"error":{"code":1}}"#, "error"),
            (r#"{"id":null,"error":{"code":1}}"#, "error without a request"),
            (r#"{"error":{"code":1}}"#, "error without a request"),
            (r#" [{"method":"ping","id":1}]"#, "batch"),
        ] {
            assert_eq!(kind(line), expected, "{line}");
        }
    }

    #[test]
    fn ambiguous_lines_are_no_messages() {
        for line in [
            "",
            "Starting…",
            "1",
            r#"{"method":"ping","id":1"#,
            r#"{"method":"ping","id":1} x"#,
            r#"{"method":"ping","method":"tools/call","id":1}"#,
            r#"{"method":"ping","id":1,"id":2}"#,
            r#"{"method":"ping","id":null}"#,
            r#"{"id":1,"result":1,"error":2}"#,
            r#"{"id":1,"result":1,"method":"ping"}"#,
            r#"{"result":1}"#,
            r#"{"id":1}"#,
            r#"{"id":{},"result":1}"#,
            r#"{"id":1.5,"result":1}"#,
        ] {
            assert_eq!(kind(line), "none", "{line}");
        }
    }

    #[test]
    fn parts_are_replaced_in_any_order() {
        let line = r#"{"a": 1, "b": [2]}"#;
        let splice = |part: &str, text: &'static str| {
            let start = line.find(part).unwrap();
            Splice { part: &line[start..start + part.len()], text: text.into() }
        };
        assert_eq!(replaced(line, vec![splice("[2]", "{}"), splice("1", "\"x\"")]), r#"{"a": "x", "b": {}}"#);
        assert_eq!(replaced(line, Vec::new()), line);
    }
}
