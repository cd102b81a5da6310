//! Two values side by side: where they differ, one [`Difference`] for each place.
//!
//! In: the value that was expected and the one that came. Out: paths with what had to stand there. What always holds: only objects are
//! looked into, and arrays of one length, so that each difference names the smallest place that a reader would name; the depth is that
//! of the shallower value; nothing is put into words here.

use serde_json::{Number, Value};

use super::matcher::Matcher;
use crate::bounded;
use crate::issue::{Path, Segment};
use crate::json::{Json, Member, Node};

/// How much of a value a sentence shows.
const SHOWN: usize = 200;

/// A place where a value is not what it must be, as long as it is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference<'m, 'p> {
    place: Place<'p>,
    pub(super) wanted: Wanted<'m>,
}

/// The way from the value that was compared.
#[derive(Clone, Copy, Debug)]
enum Place<'p> {
    Here,
    Key(&'p Place<'p>, &'p str),
    Index(&'p Place<'p>, usize),
}

/// What a value must be.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted<'m> {
    Value(&'m Value),
    Matching(&'m Matcher),
    Absent,
    Object,
}

impl<'m, 'p> Difference<'m, 'p> {
    pub(super) const fn here(wanted: Wanted<'m>) -> Self {
        Self { place: Place::Here, wanted }
    }

    /// A member that must not be there.
    pub(super) const fn unexpected(key: &'p str) -> Self {
        Self { place: Place::Key(&Place::Here, key), wanted: Wanted::Absent }
    }

    /// The place, seen from where `front` leads.
    pub(super) fn at(&self, front: &Path) -> Path {
        let mut steps = Vec::new();
        let mut place = &self.place;
        loop {
            let (before, step) = match place {
                Place::Here => break,
                Place::Key(before, key) => (before, Segment::Key((*key).to_owned().into())),
                Place::Index(before, index) => (before, Segment::Index(*index)),
            };
            steps.push(step);
            place = before;
        }
        front.segments().iter().cloned().chain(steps.into_iter().rev()).collect()
    }
}

impl Wanted<'_> {
    /// `to be "celsius"`.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Value(value) => format!("to be {}", text_of(value)),
            Self::Matching(matcher) => matcher.to_string(),
            Self::Absent => "to be absent".to_owned(),
            Self::Object => "to be an object".to_owned(),
        }
    }

    /// The values in it.
    pub(super) fn values(&self) -> Vec<&Value> {
        match self {
            Self::Value(value) => vec![value],
            Self::Matching(matcher) => matcher.values(),
            Self::Absent | Self::Object => Vec::new(),
        }
    }
}

/// Where a value differs, one place after another; `whole` asks that objects have no other members.
pub(super) fn differences<'m>(
    wanted: &'m Value,
    got: &Json<'_>,
    whole: bool,
    tell: &mut impl FnMut(Difference<'m, '_>),
) {
    Comparison { whole, tell }.compare(Place::Here, wanted, got);
}

struct Comparison<'t, T> {
    whole: bool,
    tell: &'t mut T,
}

impl<T> Comparison<'_, T> {
    /// As deep as the shallower value.
    fn compare<'m>(&mut self, place: Place<'_>, wanted: &'m Value, got: &Json<'_>)
    where
        T: FnMut(Difference<'m, '_>),
    {
        match (wanted, &got.node) {
            (Value::Object(members), Node::Object(sent)) => {
                // Whether a map keeps its order depends on the features of `serde_json`; a report does not.
                let mut in_order: Vec<_> = members.iter().collect();
                in_order.sort_unstable_by_key(|(key, _)| *key);
                let sent_by_key = Members::of(got);
                for (key, wanted) in in_order {
                    let place = Place::Key(&place, key);
                    match sent_by_key.find(key) {
                        Some(got) => self.compare(place, wanted, got),
                        None => (self.tell)(Difference { place, wanted: Wanted::Value(wanted) }),
                    }
                }
                for member in sent.iter().filter(|member| self.whole && !members.contains_key(&*member.key)) {
                    (self.tell)(Difference { place: Place::Key(&place, &member.key), wanted: Wanted::Absent });
                }
            }
            (Value::Array(wanted), Node::Array(got)) if wanted.len() == got.len() => {
                for (index, (wanted, got)) in wanted.iter().zip(got).enumerate() {
                    self.compare(Place::Index(&place, index), wanted, got);
                }
            }
            _ if is_same(wanted, got) => {}
            _ => (self.tell)(Difference { place, wanted: Wanted::Value(wanted) }),
        }
    }
}

/// The members of an object by their keys; of a repeated key the last one counts, as it does for a tool.
struct Members<'j, 'a>(Vec<&'j Member<'a>>);

impl<'j, 'a> Members<'j, 'a> {
    fn of(object: &'j Json<'a>) -> Self {
        let mut members: Vec<_> = object.members().iter().collect();
        members.sort_by(|one, other| one.key.cmp(&other.key));
        Self(members)
    }

    fn find(&self, key: &str) -> Option<&'j Json<'a>> {
        let behind = self.0.partition_point(|member| *member.key <= *key);
        let last = self.0[..behind].last()?;
        (*last.key == *key).then_some(&last.value)
    }
}

/// Whether it is the same value: numbers by what they are, objects without regard to the order of their keys.
pub(super) fn is_same(wanted: &Value, got: &Json<'_>) -> bool {
    match (wanted, &got.node) {
        (Value::Null, Node::Null) => true,
        (Value::Bool(wanted), Node::Bool(got)) => wanted == got,
        (Value::String(wanted), Node::String(got)) => wanted == got,
        (Value::Number(wanted), Node::Number(text)) => is_same_number(wanted, text, got),
        (Value::Array(wanted), Node::Array(got)) => {
            wanted.len() == got.len() && wanted.iter().zip(got).all(|(wanted, got)| is_same(wanted, got))
        }
        (Value::Object(wanted), Node::Object(sent)) => {
            let sent_by_key = Members::of(got);
            sent.iter().all(|member| wanted.contains_key(&*member.key))
                && wanted.iter().all(|(key, wanted)| sent_by_key.find(key).is_some_and(|got| is_same(wanted, got)))
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
