//! Two values side by side: whether they are the same, and a value as a sentence shows it.
//!
//! What always holds: the depth is that of the shallower value.

use serde_json::{Number, Value};

use crate::private::bounded;
use tool_runtime::tool_schema::json::{Json, Member, Node};

/// How much of a value a sentence shows.
const SHOWN: usize = 200;

/// The members of an object by their keys; of a repeated key the last one counts, as it does for a tool.
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

/// Whether it is the same value: numbers by what they are, objects without regard to the order of their keys.
pub(super) fn is_same(wanted: &Value, got: &Json<'_>) -> bool {
    fits(wanted, got, true)
}

/// The same, but every object may have other members.
pub(super) fn includes(wanted: &Value, got: &Json<'_>) -> bool {
    fits(wanted, got, false)
}

/// `whole` asks that objects have no other members.
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

/// Exactly, and where a test wrote a floating point number, as one: nobody writes its digits down to the last.
fn is_same_number(wanted: &Number, text: &str, got: &Json<'_>) -> bool {
    let is_near = || wanted.is_f64() && text.parse().ok() == wanted.as_f64();
    wanted.to_string() == text || is_near() || wider(&Value::Number(wanted.clone())).same_value(got)
}

/// The value as the tree that calls are read into; one that is nested too deeply for it is no value that a call could have.
pub(super) fn wider(value: &Value) -> Json<'_> {
    Json::from_value(value).unwrap_or_else(|_| Json::new(Node::Null))
}

/// The value as a sentence shows it.
pub(super) fn text_of(value: &Value) -> String {
    shown(&wider(value))
}

/// The value as a sentence shows it.
pub(super) fn shown(json: &Json<'_>) -> String {
    bounded::json(json, SHOWN)
}
