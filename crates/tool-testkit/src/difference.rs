//! Where a value is not what it must be, one [`Difference`] for each place.
//!
//! In: the value or the matcher that was expected, and the value that came. Out: paths with what had to stand there. What always holds: only
//! objects are looked into, and arrays of one length, so that each difference names the smallest place that a reader would name; the depth is
//! that of the shallower value; nothing is put into words before somebody asks.

use serde_json::Value;
use tool_runtime::tool_schema::issue::{Path, Segment};
use tool_runtime::tool_schema::json::{Json, Node};

use super::compare::{Members, is_same, text_of};
use super::matcher::Matcher;

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

impl Matcher {
    /// Where and how a value is not what it must be; nothing where it fits.
    pub(super) fn differences<'m>(&'m self, got: Option<&Json<'_>>, tell: &mut impl FnMut(Difference<'m, '_>)) {
        match (self.compared(), got) {
            (Some((wanted, whole)), Some(got)) => Comparison { whole, tell }.compare(Place::Here, wanted, got),
            (None, Some(got)) if self.fits(got) => {}
            _ => tell(Difference::here(Wanted::Matching(self))),
        }
    }
}

/// Compares place by place; `whole` asks that objects have no other members.
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
