//! Differences between an expected value and an actual one: one [`Difference`] for each location.
//!
//! Invariants: only objects, and arrays of equal length, are compared member by member, so each difference is at the smallest location that
//! a reader would name. The recursion is only as deep as the less deeply nested value. Texts are only created on request.

use serde_json::Value;
use tool_runtime::tool_schema::issue::{Path, Segment};
use tool_runtime::tool_schema::json::{Json, Node};

use super::compare::{Members, is_same, text_of};
use super::matcher::Matcher;

/// A location where a value differs from the expected one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference<'m, 'p> {
    place: DifferencePlace<'p>,
    pub(super) wanted: Wanted<'m>,
}

/// The path from the compared value to the location, as a linked list on the stack.
#[derive(Clone, Copy, Debug)]
enum DifferencePlace<'p> {
    Here,
    Key(&'p DifferencePlace<'p>, &'p str),
    Index(&'p DifferencePlace<'p>, usize),
}

/// The requirement that a value does not meet.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted<'m> {
    Value(&'m Value),
    Matching(&'m Matcher),
    Absent,
    Object,
}

impl<'m, 'p> Difference<'m, 'p> {
    pub(super) const fn here(wanted: Wanted<'m>) -> Self {
        Self { place: DifferencePlace::Here, wanted }
    }

    /// Creates the difference for a member that must be absent.
    pub(super) const fn unexpected(key: &'p str) -> Self {
        Self { place: DifferencePlace::Key(&DifferencePlace::Here, key), wanted: Wanted::Absent }
    }

    /// Returns the path, prefixed with `front`.
    pub(super) fn at(&self, front: &Path) -> Path {
        let mut steps = Vec::new();
        let mut place = &self.place;
        loop {
            let (before, step) = match place {
                DifferencePlace::Here => break,
                DifferencePlace::Key(before, key) => (before, Segment::Key((*key).to_owned().into())),
                DifferencePlace::Index(before, index) => (before, Segment::Index(*index)),
            };
            steps.push(step);
            place = before;
        }
        front.segments().iter().cloned().chain(steps.into_iter().rev()).collect()
    }
}

impl Wanted<'_> {
    /// Returns the requirement in words: `to be "celsius"`.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Value(value) => format!("to be {}", text_of(value)),
            Self::Matching(matcher) => matcher.to_string(),
            Self::Absent => "to be absent".to_owned(),
            Self::Object => "to be an object".to_owned(),
        }
    }

    /// Returns the values that the requirement mentions.
    pub(super) fn values(&self) -> Vec<&Value> {
        match self {
            Self::Value(value) => vec![value],
            Self::Matching(matcher) => matcher.values(),
            Self::Absent | Self::Object => Vec::new(),
        }
    }
}

impl Matcher {
    /// Calls `tell` with each difference between a value and this matcher.
    pub(super) fn differences<'m>(&'m self, got: Option<&Json<'_>>, tell: &mut impl FnMut(Difference<'m, '_>)) {
        match (self.compared(), got) {
            (Some((wanted, whole)), Some(got)) => {
                Comparison { whole, tell }.compare(DifferencePlace::Here, wanted, got);
            }
            (None, Some(got)) if self.fits(got) => {}
            _ => tell(Difference::here(Wanted::Matching(self))),
        }
    }
}

/// A comparison of two values. If `whole` is `true`, objects must not have further members.
struct Comparison<'t, T> {
    whole: bool,
    tell: &'t mut T,
}

impl<T> Comparison<'_, T> {
    /// Compares two values, and calls `tell` with each difference.
    fn compare<'m>(&mut self, place: DifferencePlace<'_>, wanted: &'m Value, got: &Json<'_>)
    where
        T: FnMut(Difference<'m, '_>),
    {
        match (wanted, &got.node) {
            (Value::Object(members), Node::Object(sent)) => {
                // The order of a map depends on the features of `serde_json`, but the order in a report must not.
                let mut in_order: Vec<_> = members.iter().collect();
                in_order.sort_unstable_by_key(|(key, _)| *key);
                let sent_by_key = Members::of(got);
                for (key, wanted) in in_order {
                    let place = DifferencePlace::Key(&place, key);
                    match sent_by_key.find(key) {
                        Some(got) => self.compare(place, wanted, got),
                        None => (self.tell)(Difference { place, wanted: Wanted::Value(wanted) }),
                    }
                }
                for member in sent.iter().filter(|member| self.whole && !members.contains_key(&*member.key)) {
                    (self.tell)(Difference {
                        place: DifferencePlace::Key(&place, &member.key),
                        wanted: Wanted::Absent,
                    });
                }
            }
            (Value::Array(wanted), Node::Array(got)) if wanted.len() == got.len() => {
                for (index, (wanted, got)) in wanted.iter().zip(got).enumerate() {
                    self.compare(DifferencePlace::Index(&place, index), wanted, got);
                }
            }
            _ if is_same(wanted, got) => {}
            _ => (self.tell)(Difference { place, wanted: Wanted::Value(wanted) }),
        }
    }
}
