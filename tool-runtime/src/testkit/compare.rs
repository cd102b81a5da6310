//! Two values side by side: where they differ, one [`Difference`] for each place.
//!
//! In: the value that was expected and the one that came. Out: paths with what had to stand there. What always holds: only objects are
//! looked into, and arrays of one length, so that each difference names the smallest place that a reader would name; the depth is that
//! of the shallower value.

use serde_json::Value;

use crate::bounded;
use crate::issue::{Path, Segment};
use crate::json::{Json, Node};

/// How much of a value a sentence shows.
const SHOWN: usize = 200;

/// A place where a value is not what it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// From the value that was compared.
    pub(super) path: Vec<Segment>,
    /// `to be "celsius"`.
    pub(super) wanted: String,
}

impl Difference {
    pub(super) fn here(wanted: String) -> Self {
        Self { path: Vec::new(), wanted }
    }

    fn below(mut self, segment: Segment) -> Self {
        self.path.insert(0, segment);
        self
    }

    /// The place, seen from where `front` leads.
    pub(super) fn at(&self, front: &Path) -> Path {
        front.segments().iter().chain(&self.path).cloned().collect()
    }
}

/// Where a value differs; `whole` asks that objects have no other members.
pub(super) fn differences(wanted: &Value, got: &Json<'_>, whole: bool) -> Vec<Difference> {
    let mut found = Vec::new();
    match (wanted, &got.node) {
        (Value::Object(members), Node::Object(sent)) => {
            // Whether a map keeps its order depends on the features of `serde_json`; a report does not.
            let mut in_order: Vec<_> = members.iter().collect();
            in_order.sort_unstable_by_key(|(key, _)| *key);
            for (key, wanted) in in_order {
                let below = |difference: Difference| difference.below(Segment::Key(key.clone().into()));
                match got.get(key) {
                    Some(got) => found.extend(differences(wanted, got, whole).into_iter().map(below)),
                    None => found.push(below(Difference::here(to_be(wanted)))),
                }
            }
            let others = sent.iter().filter(|member| whole && !members.contains_key(&*member.key));
            found.extend(others.map(|member| unexpected(&member.key)));
        }
        (Value::Array(wanted), Node::Array(got)) if wanted.len() == got.len() => {
            for (index, (wanted, got)) in wanted.iter().zip(got).enumerate() {
                let inside = differences(wanted, got, whole).into_iter();
                found.extend(inside.map(|difference| difference.below(Segment::Index(index))));
            }
        }
        _ if wider(wanted).same_value(got) => {}
        _ => found.push(Difference::here(to_be(wanted))),
    }
    found
}

/// A member that must not be there.
pub(super) fn unexpected(key: &str) -> Difference {
    Difference::here("to be absent".to_owned()).below(Segment::Key(key.to_owned().into()))
}

fn to_be(wanted: &Value) -> String {
    format!("to be {}", text_of(wanted))
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
    bounded::text(&json.to_text(), SHOWN).into_owned()
}
