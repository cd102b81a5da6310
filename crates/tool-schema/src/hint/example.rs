//! The placeholders for what is missing, as one object: [`ExampleInput`].
//!
//! In come missing fields; out goes a part of the input that holds them and nothing else, nested like the input itself. An item of an
//! array stands under the key that leads to the array, with its index: the missing `order.items[2].price` is
//! `{"order": {"items[2]": {"price": 1}}}`, so that it can be merged by the path alone and needs no items before it. What always holds:
//! each value stands at exactly the path that `missing_fields` names.

use std::fmt::Write;

use super::placeholder;
use super::words::shown_steps;
use crate::issue::{Expected, Issue, Segment};
use crate::json::{ObjectWriter, Writer};

/// Deeper places have no example.
const DEPTH: usize = 16;

/// An author's value that is longer gives way to one that is built.
const LONG: usize = 120;

/// Values for missing fields, each with the keys that lead to it.
#[derive(Clone, Debug, Default)]
pub(super) struct ExampleInput {
    values: Vec<Placeholder>,
}

#[derive(Clone, Debug)]
struct Placeholder {
    keys: Vec<String>,
    value: String,
    /// A shorter one, for want of room.
    shorter: Option<String>,
}

impl Placeholder {
    fn of(issue: &Issue) -> Option<Self> {
        let value = placeholder::value(&issue.expected)?;
        let built =
            || placeholder::value(&Expected { example: None, default: None, ..Expected::clone(&issue.expected) });
        let shorter = if value.len() > LONG { built().filter(|built| built.len() < value.len()) } else { None };
        Some(Self { keys: keys(issue)?, value, shorter })
    }
}

impl ExampleInput {
    pub(super) fn of<'i>(missing: impl Iterator<Item = &'i Issue>) -> Self {
        Self { values: missing.filter_map(Placeholder::of).collect() }
    }

    /// Takes a built value in place of an author's long one.
    pub(super) fn shorten(&mut self) -> bool {
        let long = self.values.iter_mut().rev().find_map(|value| Some((value.shorter.take()?, value)));
        long.map(|(shorter, placeholder)| placeholder.value = shorter).is_some()
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Gives up the last of the values.
    pub(super) fn pop(&mut self) -> bool {
        self.values.pop().is_some()
    }

    pub(super) fn write(&self, place: Writer<'_>) {
        let values: Vec<_> = self.values.iter().map(|placeholder| (&*placeholder.keys, &*placeholder.value)).collect();
        place.object(|object| write_members(object, &values));
    }
}

/// Writes the values under their first keys; values with the same first key share an object.
fn write_members(object: &mut ObjectWriter<'_>, values: &[(&[String], &str)]) {
    for (index, (keys, value)) in values.iter().enumerate() {
        let Some((key, rest)) = keys.split_first() else { continue };
        if rest.is_empty() {
            object.raw(key, value);
            continue;
        }
        let is_of_key = |(keys, _): &&(&[String], &str)| keys.first() == Some(key) && keys.len() > 1;
        if values[..index].iter().any(|other| is_of_key(&other)) {
            continue;
        }
        let inner: Vec<_> =
            values[index..].iter().filter(is_of_key).map(|(keys, value)| (&keys[1..], *value)).collect();
        object.object(key, |object| write_members(object, &inner));
    }
}

/// The keys that lead to a place, indices being part of the key before them; `None` where it lies too deep.
fn keys(issue: &Issue) -> Option<Vec<String>> {
    let mut keys: Vec<String> = Vec::new();
    for segment in shown_steps(issue) {
        match segment {
            Segment::Key(key) => keys.push(key.as_str().to_owned()),
            Segment::Index(index) => {
                let key = keys.last_mut()?;
                // Writing to a `String` cannot fail.
                let _ = write!(key, "[{index}]");
            }
        }
    }
    (!keys.is_empty() && keys.len() <= DEPTH).then_some(keys)
}
