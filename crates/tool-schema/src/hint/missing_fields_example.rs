//! Placeholders for missing fields, as one object: [`ExampleInput`].
//!
//! The object contains only missing fields, nested like the input, so that a reader merges it with the arguments key by key. Invariant:
//! each value is at the path that `missing_fields` names, every key is one of the arguments or of the schema, and no path leads through a
//! list. A list in the object would have to contain the items before the missing field too.

use std::borrow::Cow;

use super::bounded_path_text::shown_steps;
use super::placeholder;
use crate::issue::{Expected, Issue, REDACTED, Segment};
use crate::json::{ObjectWriter, Writer};

/// The maximum depth of an example.
const DEPTH: usize = 16;

/// The maximum length of an author's example in bytes; a longer example is replaced by a generated value.
const LONG: usize = 120;

/// The values for missing fields, each with the keys that lead to it; never empty.
#[derive(Clone, Debug)]
pub(super) struct ExampleInput<'i> {
    values: Vec<Placeholder<'i>>,
}

#[derive(Clone, Debug)]
struct Placeholder<'i> {
    keys: Vec<&'i str>,
    value: String,
    /// The expectation that the value meets; `None` after a shorter value was tried.
    expected: Option<&'i Expected>,
}

/// Returns `true` if an example has a value for a missing field. Any other missing field gets an entry in `constraints`.
pub(super) fn has_value(issue: &Issue) -> bool {
    Placeholder::from_issue(issue).is_some()
}

impl<'i> Placeholder<'i> {
    fn from_issue(issue: &'i Issue) -> Option<Self> {
        let keys = keys(issue)?;
        let value = placeholder::value(&issue.expected)?;
        Some(Self { keys, value, expected: Some(&issue.expected) })
    }

    /// Replaces a long author's example by a shorter generated value.
    fn shorten(&mut self) -> bool {
        let Some(expected) = self.expected.take_if(|_| self.value.len() > LONG) else { return false };
        let built = placeholder::value(&Expected { example: None, default: None, ..Expected::clone(expected) });
        let shorter = built.filter(|built| built.len() < self.value.len());
        shorter.map(|shorter| self.value = shorter).is_some()
    }
}

impl<'i> ExampleInput<'i> {
    /// Returns `None` if no missing field has a value to show.
    pub(super) fn from_missing(missing: impl Iterator<Item = &'i Issue>) -> Option<Self> {
        let values: Vec<_> = missing.filter_map(Placeholder::from_issue).collect();
        (!values.is_empty()).then_some(Self { values })
    }

    /// Replaces a long author's example by a shorter generated value.
    pub(super) fn shorten(&mut self) -> bool {
        self.values.iter_mut().rev().any(Placeholder::shorten)
    }

    /// Removes the last value; returns `false` if none is left.
    pub(super) fn pop(&mut self) -> bool {
        self.values.pop();
        !self.values.is_empty()
    }

    pub(super) fn write(&self, place: Writer<'_>) {
        place.object(|object| write_members(object, &self.values, &[]));
    }
}

/// Writes the values whose list of keys begins with `above`. Each value is written under its next key, and values with the same next key
/// share an object.
fn write_members(object: &mut ObjectWriter<'_>, values: &[Placeholder<'_>], above: &[&str]) {
    for (index, Placeholder { keys, value, .. }) in values.iter().enumerate() {
        let Some([key, rest @ ..]) = keys.strip_prefix(above) else { continue };
        if rest.is_empty() {
            object.json_text(key, value);
            continue;
        }
        let path = &keys[..=above.len()];
        let is_within = |other: &Placeholder<'_>| other.keys.len() > path.len() && other.keys.starts_with(path);
        if !values[..index].iter().any(is_within) {
            object.object(key, |object| write_members(object, values, path));
        }
    }
}

/// Returns the keys that lead to an issue; `None` if the path is too deep, leads through a list, or contains a key that is not shown in full.
fn keys(issue: &Issue) -> Option<Vec<&str>> {
    let segments = issue.path.segments();
    let keys = segments.iter().zip(shown_steps(issue)).map(|(segment, shown)| match (segment, shown) {
        (Segment::Key(key), Cow::Borrowed(_)) if *key != REDACTED => Some(key.as_str()),
        _ => None,
    });
    if segments.is_empty() || segments.len() > DEPTH { None } else { keys.collect() }
}
