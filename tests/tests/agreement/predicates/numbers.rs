//! Locations of numbers, and numbers with different verdicts.

use tests::generate::{Place, end};
use tests::tree::Tree;
use tool_schema::shape::{Kind, Precision};

/// Returns `true` if a map with integer keys has a key with more than this number of digits that is not a valid one.
pub(super) fn keys_beyond(place: &Place, tree: &Tree, digits: usize) -> bool {
    let Kind::Map { keys, .. } = &place.shape.kind else { return false };
    let keys = Place::of(end(keys));
    let (Kind::Integer, ends) = (&keys.shape.kind, tests::generate::integers(&keys.rules)) else { return false };
    let is_plain = |key: &str, number: i128| number.to_string() == key && (ends.min..=ends.max).contains(&number);
    let is_beyond = |key: &str| !key.parse().is_ok_and(|number| is_plain(key, number));
    ends.max.to_string().len() > digits && tree.members().iter().any(|(key, _)| is_beyond(key))
}

pub(super) fn is_integer(place: &Place) -> bool {
    matches!(place.shape.kind, Kind::Integer)
}

pub(super) fn is(tree: &Tree, number: &str) -> bool {
    matches!(tree, Tree::Number(text) if text == number)
}

/// Returns `true` for a number that is an integer in JSON Schema, but not for serde.
pub(super) fn is_odd_integer(tree: &Tree) -> bool {
    matches!(tree, Tree::Number(text) if text.contains(['.', 'e', 'E']) || text == "-0")
}

pub(super) fn is_large(tree: &Tree) -> bool {
    matches!(tree, Tree::Number(text) if text.parse::<u64>().is_err() && text.parse::<i64>().is_err() && !text.contains(['.', 'e', 'E']))
}

pub(super) fn is_single(place: &Place) -> bool {
    matches!(place.shape.kind, Kind::Number(Precision::Single))
}

pub(super) fn overflows_single(tree: &Tree) -> bool {
    matches!(tree, Tree::Number(text) if text.parse::<f32>().is_ok_and(f32::is_infinite))
}

pub(super) fn overflows(tree: &Tree) -> bool {
    matches!(tree, Tree::Number(text) if text.parse::<f64>().is_ok_and(f64::is_infinite))
}

pub(super) fn is_float(place: &Place) -> bool {
    matches!(place.shape.kind, Kind::Number(_))
}

pub(super) fn is_number(tree: &Tree) -> bool {
    matches!(tree, Tree::Number(_))
}

/// Returns `true` for a number that does not fit into 32 bits.
pub(super) fn is_wide(tree: &Tree) -> bool {
    matches!(tree, Tree::Number(text) if text.parse::<f64>().is_ok_and(|value| value.abs() > f64::from(i32::MAX)))
}
