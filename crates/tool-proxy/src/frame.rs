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
enum Parsed {
    Request { id: RequestId, id_at: Range<usize>, method: Method, params: Range<usize> },
    Notification { method: Method, params: Range<usize> },
    Response { id: RequestId, id_at: Range<usize>, is_error: bool, content: Range<usize> },
    Error,
}

#[derive(Clone, Debug)]
enum Method {
    At(Range<usize>),
    /// A method that the line spells with escapes.
    Unescaped(Box<str>),
}

impl Method {
    fn of<'l>(&'l self, line: &'l str) -> &'l str {
        match self {
            Self::At(place) => &line[place.clone()],
            Self::Unescaped(method) => method,
        }
    }
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
    /// A JSON array, which revision 2025-03-26 allowed for several messages.
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
        let text = |place: &Range<usize>| &self.line[place.clone()];
        match self.parsed() {
            Parsed::Request { id, method, params, .. } => {
                Message::Request { id: id.clone(), method: method.of(&self.line), params: text(params) }
            }
            Parsed::Notification { method, params } => {
                Message::Notification { method: method.of(&self.line), params: text(params) }
            }
            Parsed::Response { id, is_error: true, content, .. } => {
                Message::Response { id: id.clone(), answer: Answer::Error(text(content)) }
            }
            Parsed::Response { id, is_error: false, content, .. } => {
                Message::Response { id: id.clone(), answer: Answer::Result(text(content)) }
            }
            Parsed::Error => Message::Error,
        }
    }

    fn parsed(&self) -> &Parsed {
        // Every line that the proxy writes is a message.
        self.parsed.get_or_init(|| Parsed::of(&self.line).unwrap_or(Parsed::Error))
    }

    /// Returns the id of a request or response as the line has it; empty if there is none.
    pub(super) fn id_text(&self) -> &str {
        match self.parsed() {
            Parsed::Request { id_at, .. } | Parsed::Response { id_at, .. } => &self.line[id_at.clone()],
            Parsed::Notification { .. } | Parsed::Error => "",
        }
    }

    /// Returns the parameters of a request or notification; empty if it has none.
    pub(super) fn params(&self) -> &str {
        match self.message() {
            Message::Request { params, .. } | Message::Notification { params, .. } => params,
            Message::Response { .. } | Message::Error => "",
        }
    }

    /// Writes a response.
    pub(super) fn response(id: &RequestId, answer: Answer<'_>) -> Self {
        let (key, content) = match answer {
            Answer::Result(result) => (r#","result":"#, result),
            Answer::Error(error) => (r#","error":"#, error),
        };
        let mut line = String::with_capacity(content.len() + 64);
        line.push_str(r#"{"jsonrpc":"2.0","id":"#);
        let start = line.len();
        write_id(Writer::new(&mut line), id);
        let id_at = start..line.len();
        line.push_str(key);
        let start = line.len();
        line.push_str(content);
        let content = start..line.len();
        line.push('}');
        let is_error = matches!(answer, Answer::Error(_));
        Self { line, parsed: OnceLock::from(Parsed::Response { id: id.clone(), id_at, is_error, content }) }
    }

    /// Returns the frame with parts of its line replaced, none of which contains the beginning or the end of the id, the method, or the
    /// parameters or result.
    pub(super) fn with(&self, splices: Vec<Splice<'_>>) -> Self {
        let parts = self.parsed.get().cloned().map(|mut parts| {
            parts.places().into_iter().for_each(|place| *place = moved(place, &self.line, &splices));
            parts
        });
        let line = replaced(&self.line, splices);
        let parts = parts.and_then(|parts| parts.with_id_of(&line));
        Self { line, parsed: parts.map_or_else(OnceLock::new, OnceLock::from) }
    }

    /// Returns the frame with one part of its line replaced.
    pub(super) fn with_part(&self, part: &str, text: &str) -> Self {
        self.with(vec![Splice { part, text: text.into() }])
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

/// The members of a message that matter here. `serde` refuses a repeated one.
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
pub(super) fn present<'l, D: Deserializer<'l>>(deserializer: D) -> Result<Option<&'l RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Parses an object. An array is not accepted, although `serde` would take its items for the members.
pub(super) fn object<'l, T: Deserialize<'l>>(text: &'l str) -> Option<T> {
    text.starts_with('{').then(|| serde_json::from_str(text).ok())?
}

impl Parsed {
    /// Returns the places of the parts.
    fn places(&mut self) -> Vec<&mut Range<usize>> {
        match self {
            Self::Request { id_at, method: Method::At(method), params, .. } => vec![id_at, method, params],
            Self::Notification { method: Method::At(method), params } => vec![method, params],
            Self::Request { id_at, params, .. } => vec![id_at, params],
            Self::Notification { params, .. } => vec![params],
            Self::Response { id_at, content, .. } => vec![id_at, content],
            Self::Error => Vec::new(),
        }
    }

    /// Reads the id again, which may have been replaced.
    fn with_id_of(mut self, line: &str) -> Option<Self> {
        if let Self::Request { id, id_at, .. } | Self::Response { id, id_at, .. } = &mut self {
            *id = id_of(&line[id_at.clone()])?;
        }
        Some(self)
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
        let has_null_id = id.is_some_and(|id| id.get() == "null");
        let id_at = id.map_or(0..0, |id| place(id.get()));
        let id = id.map(RawValue::get).filter(|id| id.len() <= LONGEST_ID).and_then(id_of);
        let params = params.map_or(0..0, |params| place(params.get()));
        let method = method.map(|method| match method {
            Cow::Borrowed(method) => Method::At(place(method)),
            Cow::Owned(method) => Method::Unescaped(method.into()),
        });
        match (id, method, result, error) {
            (Some(id), Some(method), None, None) => Ok(Self::Request { id, id_at, method, params }),
            (None, Some(method), None, None) if !has_null_id => Ok(Self::Notification { method, params }),
            (Some(id), None, Some(result), None) => {
                Ok(Self::Response { id, id_at, is_error: false, content: place(result.get()) })
            }
            (Some(id), None, None, Some(error)) => {
                Ok(Self::Response { id, id_at, is_error: true, content: place(error.get()) })
            }
            (None, None, None, Some(_)) => Ok(Self::Error),
            _ => Err(NoMessage::Unreadable),
        }
    }
}

pub(super) fn write_id(writer: Writer<'_>, id: &RequestId) {
    match id {
        RequestId::Number(number) => writer.raw(&number.to_string()),
        RequestId::String(text) => writer.string(text),
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
        Ok(Parsed::Request { id, .. }) => Some(id),
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

/// Returns a place in a text after parts of the text are replaced.
fn moved(place: &Range<usize>, text: &str, splices: &[Splice<'_>]) -> Range<usize> {
    let position = |before: usize| {
        splices.iter().fold(before, |after, Splice { part, text: replacement }| {
            let is_before = start_of(part, text) + part.len() <= before;
            if is_before { after + replacement.len() - part.len() } else { after }
        })
    };
    position(place.start)..position(place.end)
}

/// Replaces parts of a text, all of which are slices of it.
pub(super) fn replaced(text: &str, mut splices: Vec<Splice<'_>>) -> String {
    splices.sort_by_key(|splice| start_of(splice.part, text));
    let grown: usize = splices.iter().map(|splice| splice.text.len()).sum();
    let mut changed = String::with_capacity(text.len() + grown);
    let mut copied = 0;
    for Splice { part, text: replacement } in splices {
        let start = start_of(part, text);
        changed.push_str(&text[copied..start]);
        changed.push_str(&replacement);
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
        assert_eq!(replaced(line, vec![splice("[2]", "{}"), splice("1", "\"x\"")]), r#"{"a": "x", "b": {}}"#);
        assert_eq!(replaced(line, Vec::new()), line);
    }
}
