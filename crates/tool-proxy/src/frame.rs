//! A line of a connection as a JSON-RPC message: [`Frame`].
//!
//! A line is parsed once, where it arrives. The parts of its [message](Message) are places in the line, so that the line can be forwarded as it
//! is, or with one part replaced.
//!
//! Invariant: a line is only a message if every JSON parser finds the same message in it, so a line with a repeated member is none.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use rmcp::model::RequestId;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::private::json::Writer;

/// The largest number of bytes of an id. Ids are kept until their requests are answered.
const LONGEST_ID: usize = 1_024;

/// A line with its message.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    line: String,
    /// Empty until a layer asks for the message of a line that the proxy has written.
    parsed: OnceLock<Parsed>,
}

/// A message, with the places of its parts in the line.
#[derive(Clone, Debug)]
struct Parsed {
    kind: Kind,
    /// 0 for a message without an id.
    id: RequestId,
    id_at: Range<usize>,
    /// Empty for a response.
    method: Range<usize>,
    /// A method that the line spells with escapes.
    unescaped: Option<Box<str>>,
    /// The parameters, the result or the error.
    content: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Request,
    Notification,
    Result,
    Error,
    /// An error of the proxy in place of an answer that cannot be used.
    Lost,
    /// An error of the proxy in place of the answer to a request that the server has not got.
    #[cfg(feature = "remote")]
    Unsent,
    /// The report of an error that belongs to no request.
    Report,
}

/// A message, with slices of its line.
pub(super) enum Message<'l> {
    Request {
        id: RequestId,
        method: &'l str,
        params: &'l str,
    },
    Notification {
        method: &'l str,
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
    /// A JSON array, which protocol version 2025-03-26 allowed for several messages.
    Batch,
    Unreadable,
}

impl Frame {
    /// Parses a line that was received. Returns the line if it is not a message.
    pub(super) fn parse(line: String) -> Result<Self, (String, NoMessage)> {
        // The other side may not accept a byte order mark.
        let line = line.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(line);
        match Parsed::of(&line) {
            Ok(parts) => Ok(Self { line, parsed: OnceLock::from(parts) }),
            Err(reason) => Err((line, reason)),
        }
    }

    pub(super) fn line(&self) -> &str {
        &self.line
    }

    pub(super) fn into_line(self) -> String {
        self.line
    }

    /// Returns the message.
    pub(super) fn message(&self) -> Message<'_> {
        let Parsed { kind, id, method, unescaped, content, .. } = self.parsed();
        let method = unescaped.as_deref().unwrap_or(&self.line[method.clone()]);
        let content = &self.line[content.clone()];
        match kind {
            Kind::Request => Message::Request { id: id.clone(), method, params: content },
            Kind::Notification => Message::Notification { method, params: content },
            Kind::Result => Message::Response { id: id.clone(), answer: Answer::Result(content) },
            Kind::Report => Message::Error,
            _ => Message::Response { id: id.clone(), answer: Answer::Error(content) },
        }
    }

    fn parsed(&self) -> &Parsed {
        // Every line that the proxy writes is a message.
        self.parsed.get_or_init(|| Parsed::of(&self.line).unwrap_or(Parsed::REPORT))
    }

    /// Returns `true` for an error in place of an answer that cannot be used.
    pub(super) fn is_lost(&self) -> bool {
        self.parsed().kind == Kind::Lost
    }

    /// Returns `true` for an error in place of the answer to a request that the server has not got.
    pub(super) fn is_unsent(&self) -> bool {
        #[cfg(feature = "remote")]
        let is_unsent = self.parsed().kind == Kind::Unsent;
        #[cfg(not(feature = "remote"))]
        let is_unsent = false;
        is_unsent
    }

    /// Returns the id of a request or response as the line has it; empty if there is none.
    pub(super) fn id_text(&self) -> &str {
        &self.line[self.parsed().id_at.clone()]
    }

    /// Returns the parameters of a request or notification, the result or the error; empty if there are none.
    pub(super) fn params(&self) -> &str {
        &self.line[self.parsed().content.clone()]
    }

    /// Writes a response.
    pub(super) fn response(id: &RequestId, answer: Answer<'_>) -> Self {
        match answer {
            Answer::Result(result) => Self::respond(id, Kind::Result, r#","result":"#, result),
            Answer::Error(error) => Self::respond(id, Kind::Error, r#","error":"#, error),
        }
    }

    /// Writes an error in place of the answer to a request that the server has not got.
    #[cfg(feature = "remote")]
    pub(super) fn unsent(id: &RequestId, error: &str) -> Self {
        Self::respond(id, Kind::Unsent, r#","error":"#, error)
    }

    /// Writes an error in place of an answer that cannot be used.
    pub(super) fn lost(id: &RequestId, error: &str) -> Self {
        Self::respond(id, Kind::Lost, r#","error":"#, error)
    }

    fn respond(id: &RequestId, kind: Kind, key: &str, content: &str) -> Self {
        let mut line = String::with_capacity(content.len() + 64);
        line.push_str(r#"{"jsonrpc":"2.0","id":"#);
        let start = line.len();
        line.push_str(&json_id(id));
        let id_at = start..line.len();
        line.push_str(key);
        let start = line.len();
        line.push_str(content);
        let content = start..line.len();
        line.push('}');
        let parsed = Parsed { kind, id: id.clone(), id_at, method: 0..0, unescaped: None, content };
        Self { line, parsed: OnceLock::from(parsed) }
    }

    /// Returns the frame with parts of its line replaced, none of which contains the beginning or the end of the id, the method, or the
    /// parameters or result.
    pub(super) fn with(&self, splices: &[Splice<'_>]) -> Self {
        let line = replaced(&self.line, splices);
        let parsed = self.parsed.get().and_then(|parsed| parsed.moved(&self.line, splices, &line));
        Self { line, parsed: parsed.map_or_else(OnceLock::new, OnceLock::from) }
    }

    /// Returns the frame with one part of its line replaced.
    pub(super) fn with_part(&self, part: &str, text: &str) -> Self {
        self.with(&[Splice { part, text: text.into() }])
    }
}

/// A line that the proxy has written.
impl From<String> for Frame {
    fn from(line: String) -> Self {
        Self { line, parsed: OnceLock::new() }
    }
}

impl PartialEq for Frame {
    fn eq(&self, other: &Self) -> bool {
        self.line == other.line
    }
}

impl Eq for Frame {}

/// The members of a message that matter here. `serde` rejects a repeated one.
#[derive(Deserialize)]
struct MessageMembers<'l> {
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
fn present<'l, D: Deserializer<'l>>(deserializer: D) -> Result<Option<&'l RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Parses an object. An array is not accepted, although `serde` would take its items for the members.
pub(super) fn object<'l, T: Deserialize<'l>>(text: &'l str) -> Option<T> {
    text.starts_with('{').then(|| serde_json::from_str(text).ok())?
}

impl Parsed {
    const REPORT: Self = Self {
        kind: Kind::Report,
        id: RequestId::Number(0),
        id_at: 0..0,
        method: 0..0,
        unescaped: None,
        content: 0..0,
    };

    /// Returns the places after parts of the text are replaced. The id is read again, which may be one of these parts.
    fn moved(&self, text: &str, splices: &[Splice<'_>], line: &str) -> Option<Self> {
        let position = |before: usize| {
            splices.iter().fold(before, |after, Splice { part, text: replacement }| {
                let is_before = start_of(part, text) + part.len() <= before;
                if is_before { after + replacement.len() - part.len() } else { after }
            })
        };
        let moved = |place: &Range<usize>| position(place.start)..position(place.end);
        let id_at = moved(&self.id_at);
        let id = if id_at.is_empty() { self.id.clone() } else { id_of(&line[id_at.clone()])? };
        let (method, content) = (moved(&self.method), moved(&self.content));
        Some(Self { kind: self.kind, id, id_at, method, unescaped: self.unescaped.clone(), content })
    }

    fn of(line: &str) -> Result<Self, NoMessage> {
        let text = line.trim_ascii_start();
        if text.starts_with('[') {
            return Err(NoMessage::Batch);
        }
        let MessageMembers { id, method, params, result, error } = object(text).ok_or(NoMessage::Unreadable)?;
        let place = |part: &str| {
            let start = start_of(part, line);
            start..start + part.len()
        };
        let place_of = |part: Option<&RawValue>| part.map_or(0..0, |part| place(part.get()));
        let has_null_id = id.is_some_and(|id| id.get() == "null");
        let id_at = place_of(id);
        let id = id.map(RawValue::get).filter(|id| id.len() <= LONGEST_ID).and_then(id_of);
        let kind = match (&id, &method, result, error) {
            (Some(_), Some(_), None, None) => Kind::Request,
            (None, Some(_), None, None) if !has_null_id => Kind::Notification,
            (Some(_), None, Some(_), None) => Kind::Result,
            (Some(_), None, None, Some(_)) => Kind::Error,
            (None, None, None, Some(_)) => return Ok(Self::REPORT),
            _ => return Err(NoMessage::Unreadable),
        };
        let (method, unescaped) = match method {
            Some(Cow::Borrowed(method)) => (place(method), None),
            Some(Cow::Owned(method)) => (0..0, Some(method.into())),
            None => (0..0, None),
        };
        let content = if kind == Kind::Request || kind == Kind::Notification { params } else { result.or(error) };
        let id = id.unwrap_or(RequestId::Number(0));
        Ok(Self { kind, id, id_at, method, unescaped, content: place_of(content) })
    }
}

/// Returns an id as JSON.
pub(super) fn json_id(id: &RequestId) -> String {
    match id {
        RequestId::Number(number) => number.to_string(),
        RequestId::String(text) => {
            let mut json = String::new();
            Writer::new(&mut json).string(text);
            json
        }
    }
}

/// Parses an id, given as JSON text.
fn id_of(text: &str) -> Option<RequestId> {
    // Most ids are integers. The deserializer of `RequestId` tries each form in turn.
    text.parse().map(RequestId::Number).or_else(|_| serde_json::from_str(text)).ok()
}

/// Returns the ids of the requests in a batch.
pub(super) fn requests_of(batch: &str) -> Vec<RequestId> {
    let parts: Vec<&RawValue> = serde_json::from_str(batch).unwrap_or_default();
    let requests = parts.into_iter().filter_map(|part| match Parsed::of(part.get()) {
        Ok(Parsed { kind: Kind::Request, id, .. }) => Some(id),
        _ => None,
    });
    requests.collect()
}

/// The replacement of a part of a text.
pub(super) struct Splice<'l> {
    pub(super) part: &'l str,
    pub(super) text: Cow<'l, str>,
}

/// Returns the place at which a slice of a text begins.
fn start_of(part: &str, text: &str) -> usize {
    part.as_ptr().addr() - text.as_ptr().addr()
}

/// Replaces parts of a text, all of which are slices of it.
pub(super) fn replaced(text: &str, splices: &[Splice<'_>]) -> String {
    let mut splices: Vec<&Splice<'_>> = splices.iter().collect();
    splices.sort_by_key(|splice| start_of(splice.part, text));
    let grown: usize = splices.iter().map(|splice| splice.text.len()).sum();
    let mut changed = String::with_capacity(text.len() + grown);
    let mut copied = 0;
    for Splice { part, text: replacement } in splices {
        let start = start_of(part, text);
        changed.push_str(&text[copied..start]);
        changed.push_str(replacement);
        copied = start + part.len();
    }
    changed.push_str(&text[copied..]);
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> &'static str {
        match Frame::parse(line.to_owned()).as_ref().map(Frame::message) {
            Ok(Message::Request { .. }) => "request",
            Ok(Message::Notification { .. }) => "notification",
            Ok(Message::Response { answer: Answer::Result(_), .. }) => "result",
            Ok(Message::Response { answer: Answer::Error(_), .. }) => "error",
            Ok(Message::Error) => "error without a request",
            Err((_, NoMessage::Batch)) => "batch",
            Err((_, NoMessage::Unreadable)) => "none",
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
    fn the_parts_of_a_message_are_slices_of_its_line() {
        let frame =
            Frame::parse(r#" {"id" : "a", "m\u0065thod":"p\u0069ng", "params": {"x": [1]} }"#.to_owned()).unwrap();
        let Message::Request { id, method, params } = frame.message() else { panic!("{frame:?}") };
        assert_eq!((id, method, params), (RequestId::String("a".into()), "ping", r#"{"x": [1]}"#));
        let inner = &params[6..9];
        for (part, text) in [(params, "[]"), (inner, "12345"), (frame.id_text(), "17"), (frame.id_text(), "\"abc\"")] {
            let changed = frame.with_part(part, text);
            let parsed = Frame::parse(changed.line().to_owned()).unwrap();
            assert_eq!(format!("{:?}", changed.parsed), format!("{:?}", parsed.parsed), "{}", changed.line());
        }
        let response = Frame::response(&RequestId::String("é\"".into()), Answer::Error("{}"));
        let parsed = Frame::parse(response.line().to_owned()).unwrap();
        assert_eq!(format!("{:?}", response.parsed), format!("{:?}", parsed.parsed));
        assert_eq!(Frame::parse("\u{feff}{\"method\":\"a\"}".to_owned()).unwrap().line(), r#"{"method":"a"}"#);
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
        assert_eq!(replaced(line, &[splice("[2]", "{}"), splice("1", "\"x\"")]), r#"{"a": "x", "b": {}}"#);
        assert_eq!(replaced(line, &[]), line);
    }
}
