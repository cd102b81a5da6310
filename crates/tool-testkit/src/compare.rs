//! The comparison of two values, and the short text of a value for a sentence.
//!
//! Invariant: the recursion is only as deep as the less deeply nested value.

use serde_json::{Number, Value};

use crate::private::bounded;
use tool_runtime::tool_schema::json::{Json, Member, Node};

/// The maximum number of bytes of a value that a sentence shows.
const SHOWN: usize = 200;

/// The members of an object, sorted by key. If a key is repeated, its last value counts, as for a tool.
pub(super) struct Members<'j, 'a>(Vec<&'j Member<'a>>);

impl<'j, 'a> Members<'j, 'a> {
    pub(super) fn of(object: &'j Json<'a>) -> Self {
        let mut members: Vec<_> = object.members().iter().collect();
        members.sort_by(|one, other| one.key.cmp(&other.key));
        Self(members)
    }

    pub(super) fn find(&self, key: &str) -> Option<&'j Json<'a>> {
        let behind = self.0.partition_point(|member| *member.key <= *key);
        let last = self.0[..behind].last()?;
        (*last.key == *key).then_some(&last.value)
    }
}

/// Returns `true` if the values are equal. Numbers are compared by value, and the order of keys does not matter.
pub(super) fn is_same(wanted: &Value, got: &Json<'_>) -> bool {
    fits(wanted, got, true)
}

/// Returns `true` if the values are equal. Objects in the actual value may have further members.
pub(super) fn includes(wanted: &Value, got: &Json<'_>) -> bool {
    fits(wanted, got, false)
}

/// Compares two values. If `whole` is `true`, objects must not have further members.
fn fits(wanted: &Value, got: &Json<'_>, whole: bool) -> bool {
    match (wanted, &got.node) {
        (Value::Null, Node::Null) => true,
        (Value::Bool(wanted), Node::Bool(got)) => wanted == got,
        (Value::String(wanted), Node::String(got)) => wanted == got,
        (Value::Number(wanted), Node::Number(text)) => is_same_number(wanted, text, got),
        (Value::Array(wanted), Node::Array(got)) => {
            wanted.len() == got.len() && wanted.iter().zip(got).all(|(wanted, got)| fits(wanted, got, whole))
        }
        (Value::Object(wanted), Node::Object(sent)) => {
            let sent_by_key = Members::of(got);
            (!whole || sent.iter().all(|member| wanted.contains_key(&*member.key)))
                && wanted.iter().all(|(key, wanted)| sent_by_key.find(key).is_some_and(|got| fits(wanted, got, whole)))
        }
        _ => false,
    }
}

/// Compares numbers exactly. An expected floating-point number also equals any text that is parsed to the same floating-point number.
fn is_same_number(wanted: &Number, text: &str, got: &Json<'_>) -> bool {
    let is_near = || wanted.is_f64() && text.parse().ok() == wanted.as_f64();
    wanted.to_string() == text || is_near() || wider(&Value::Number(wanted.clone())).same_value(got)
}

/// Converts a value to the type of tree that calls have. A value that is nested more deeply than a call can be becomes `null`.
pub(super) fn wider(value: &Value) -> Json<'_> {
    Json::from_value(value).unwrap_or_else(|_| Json::from_node(Node::Null))
}

/// Returns the text of a value for a sentence, shortened if necessary.
pub(super) fn text_of(value: &Value) -> String {
    shown(&wider(value))
}

/// Returns the text of a tree for a sentence, shortened if necessary.
pub(super) fn shown(json: &Json<'_>) -> String {
    bounded::json(json, SHOWN)
}
