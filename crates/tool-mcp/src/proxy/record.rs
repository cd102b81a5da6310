//! The recording of calls as JSON Lines, which `toolbox check` reads: [`recorded`].
//!
//! Invariant: the values of redacted arguments are not recorded. Arguments in which they cannot be found are left out as a whole.

use rmcp::model::RequestId;

use super::call::{Call, write_id};
use crate::private::json::{Json, Member, Node, Writer};
use crate::private::suggest::nearest;

const REDACTED: &str = "\"[redacted]\"";

/// The decision about a recorded call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Ok,
    Repaired,
    /// Nothing was known about the tool.
    Unchecked,
    Refused,
    Throttled,
}

impl Verdict {
    const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Repaired => "repaired",
            Self::Unchecked => "unchecked",
            Self::Refused => "refused",
            Self::Throttled => "throttled",
        }
    }
}

/// Returns a line about a call, with the arguments as the client sent them.
pub(super) fn recorded(id: &RequestId, call: &Call<'_>, verdict: Verdict, redacted: &[String]) -> String {
    let mut line = String::new();
    Writer::new(&mut line).object(|entry| {
        write_id(entry.value("id"), id);
        entry.string("tool", &call.name);
        if !call.arguments.is_empty() {
            entry.raw("arguments", &without(redacted, call.arguments));
        }
        entry.string("verdict", verdict.name());
    });
    line
}

/// Returns arguments without the values of the members that have one of these names or a similar one.
pub(super) fn without(redacted: &[String], arguments: &str) -> String {
    if redacted.is_empty() {
        return arguments.to_owned();
    }
    let Ok(json) = Json::parse(arguments) else { return REDACTED.to_owned() };
    if let Some(text) = json.as_str() {
        // A model may send the arguments as a text.
        let Ok(inner) = Json::parse(text) else { return REDACTED.to_owned() };
        let mut quoted = String::new();
        Writer::new(&mut quoted).string(&hidden(redacted, text, &inner));
        return quoted;
    }
    hidden(redacted, arguments, &json)
}

/// Replaces the values of redacted members at any depth. Anything but an object is replaced as a whole.
fn hidden(redacted: &[String], text: &str, json: &Json<'_>) -> String {
    if !matches!(json.node, Node::Object(_)) {
        return REDACTED.to_owned();
    }
    let mut spans = Vec::new();
    let mut nodes = vec![json];
    while let Some(node) = nodes.pop() {
        nodes.extend(node.items());
        for Member { key, value, .. } in node.members() {
            let is_redacted = nearest(key, redacted.iter().map(String::as_str)).is_some();
            // A text can be the JSON of further arguments.
            let is_nested =
                value.as_str().is_some_and(|text| Json::parse(text).is_ok_and(|inner| !inner.members().is_empty()));
            if is_redacted || is_nested {
                spans.push(value.span);
            } else {
                nodes.push(value);
            }
        }
    }
    spans.sort_by_key(|span| span.start);
    let (mut out, mut copied) = (String::with_capacity(text.len()), 0);
    for span in spans {
        let (start, end) = (span.start as usize, span.end as usize);
        out.push_str(&text[copied..start]);
        out.push_str(REDACTED);
        copied = end;
    }
    out.push_str(&text[copied..]);
    out
}
