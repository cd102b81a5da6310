//! The placeholders for what is missing, as one object: [`ExampleInput`].
//!
//! In come missing fields; out goes a part of the input that holds them and nothing else, nested like the input itself. An item of an
//! array stands under the key that leads to the array, with its index: the missing `order.items[2].price` is
//! `{"order": {"items[2]": {"price": 1}}}`, so that it can be merged by the path alone and needs no items before it. What always holds:
//! each value stands at exactly the path that `missing_fields` names.

use std::borrow::Cow;
use std::fmt::Write;

use super::placeholder;
use super::words::shown_steps;
use crate::issue::{Expected, Issue, Segment};
use crate::json::{ObjectWriter, Writer};

/// Deeper places have no example.
const DEPTH: usize = 16;

/// An author's value that is longer gives way to one that is built.
const LONG: usize = 120;

/// Values for missing fields, each with the keys that lead to it; never empty.
#[derive(Clone, Debug)]
pub(super) struct ExampleInput<'i> {
    values: Vec<Placeholder<'i>>,
}

#[derive(Clone, Debug)]
struct Placeholder<'i> {
    keys: Vec<Cow<'i, str>>,
    value: String,
    /// The expectation that the value meets; `None` once a shorter value was looked for.
    expected: Option<&'i Expected>,
}

impl<'i> Placeholder<'i> {
    fn of(issue: &'i Issue) -> Option<Self> {
        let value = placeholder::value(&issue.expected)?;
        Some(Self { keys: keys(issue)?, value, expected: Some(&issue.expected) })
    }

    /// Takes a built value in place of an author's long one.
    fn shorten(&mut self) -> bool {
        let Some(expected) = self.expected.take_if(|_| self.value.len() > LONG) else { return false };
        let built = placeholder::value(&Expected { example: None, default: None, ..Expected::clone(expected) });
        let shorter = built.filter(|built| built.len() < self.value.len());
        shorter.map(|shorter| self.value = shorter).is_some()
    }
}

impl<'i> ExampleInput<'i> {
    /// `None` where no missing field has a value that could be shown.
    pub(super) fn of(missing: impl Iterator<Item = &'i Issue>) -> Option<Self> {
        let values: Vec<_> = missing.filter_map(Placeholder::of).collect();
        (!values.is_empty()).then_some(Self { values })
    }

    /// Takes a built value in place of an author's long one.
    pub(super) fn shorten(&mut self) -> bool {
        self.values.iter_mut().rev().any(Placeholder::shorten)
    }

    /// Gives up the last of the values; `false` where none is left.
    pub(super) fn pop(&mut self) -> bool {
        self.values.pop();
        !self.values.is_empty()
    }

    pub(super) fn write(&self, place: Writer<'_>) {
        place.object(|object| write_members(object, &self.values, &[]));
    }
}

/// Writes the values whose keys begin so, under the next of their keys; values with the same one share an object.
fn write_members(object: &mut ObjectWriter<'_>, values: &[Placeholder<'_>], above: &[Cow<'_, str>]) {
    for (index, Placeholder { keys, value, .. }) in values.iter().enumerate() {
        let Some([key, rest @ ..]) = keys.strip_prefix(above) else { continue };
        if rest.is_empty() {
            object.raw(key, value);
            continue;
        }
        let path = &keys[..=above.len()];
        let is_within = |other: &Placeholder<'_>| other.keys.len() > path.len() && other.keys.starts_with(path);
        if !values[..index].iter().any(is_within) {
            object.object(key, |object| write_members(object, values, path));
        }
    }
}

/// The keys that lead to a place, indices being part of the key before them; `None` where it lies too deep.
fn keys(issue: &Issue) -> Option<Vec<Cow<'_, str>>> {
    let mut keys: Vec<Cow<'_, str>> = Vec::with_capacity(issue.path.segments().len());
    for step in shown_steps(issue) {
        match step {
            Cow::Borrowed(Segment::Key(key)) => keys.push(Cow::Borrowed(key.as_str())),
            Cow::Owned(Segment::Key(key)) => keys.push(Cow::Owned(key.as_str().to_owned())),
            Cow::Borrowed(&Segment::Index(index)) | Cow::Owned(Segment::Index(index)) => {
                let key = keys.last_mut()?.to_mut();
                // Writing to a `String` cannot fail.
                let _ = write!(key, "[{index}]");
            }
        }
    }
    (!keys.is_empty() && keys.len() <= DEPTH).then_some(keys)
}
