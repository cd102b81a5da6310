//! Detects types that serde cannot decode from its buffer: maps with integer keys, because keys in the buffer stay strings, and integers of
//! 128 bits, which the buffer cannot store.
//!
//! serde buffers values whose type it does not know yet: variants of untagged and internally tagged enums, and flattened types. The
//! compiler uses `unreadable`, which follows direct edges; `build()` also follows edges to the heap and uses [`unreadable_itself`] on each
//! shape. If a type makes serde buffer its own parts, the parts are not searched, because that type is checked separately.

use super::{Identity, Kind, List, Object, Ref, Rule, Shape, Tagging, Union};
use crate::json::Number;

/// A type that serde cannot decode from its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// A map whose keys are integers.
    NumberKeys,
    /// An integer of 128 bits.
    Wide,
}

/// The maximum number of edges that the compiler follows; `build()` checks the rest.
const MOST_DEPTH: u8 = 64;

/// Searches the shape and everything behind its direct edges; returns the first type that serde cannot decode from its buffer.
pub(crate) const fn unreadable(shape: &Shape) -> Option<Unreadable> {
    within(shape, MOST_DEPTH)
}

/// Returns the reason why the shape itself cannot be decoded from the buffer, whatever its inner types.
pub const fn unreadable_itself(shape: &Shape) -> Option<Unreadable> {
    match &shape.kind {
        Kind::Integer if is_wide(&shape.rules) => Some(Unreadable::Wide),
        Kind::Map { keys: Ref::Static(keys), .. } if matches!(keys.kind, Kind::Integer) => Some(Unreadable::NumberKeys),
        _ => None,
    }
}

/// Returns `true` if serde buffers the payloads of an enum. A union without an identity is not an enum, but part of some std types.
pub const fn buffers(shape: &Shape, union: &Union) -> bool {
    if !matches!(shape.identity, Some(Identity::Type(_))) {
        return false;
    }
    if matches!(union.tagging, Tagging::Internal { .. } | Tagging::Untagged) {
        return true;
    }
    let Some(variants) = union.variants.as_static() else { return false };
    let mut index = 0;
    while index < variants.len() {
        if variants[index].untagged {
            return true;
        }
        index += 1;
    }
    false
}

const fn within(shape: &Shape, depth: u8) -> Option<Unreadable> {
    if depth == 0 {
        return None;
    }
    let itself = unreadable_itself(shape);
    if itself.is_some() {
        return itself;
    }
    match &shape.kind {
        Kind::Alias(edge) | Kind::Nullable(edge) | Kind::Array(edge) | Kind::Map { values: edge, .. } => {
            behind(edge, depth)
        }
        Kind::Tuple(positions) => in_positions(positions, depth),
        Kind::Object(object) => in_fields(object, depth),
        Kind::Union(union) if !buffers(shape, union) => in_payloads(union, depth),
        _ => None,
    }
}

const fn behind(edge: &Ref, depth: u8) -> Option<Unreadable> {
    match edge {
        Ref::Static(shape) => within(shape, depth - 1),
        _ => None,
    }
}

const fn in_positions(positions: &List<Ref>, depth: u8) -> Option<Unreadable> {
    let Some(positions) = positions.as_static() else { return None };
    let mut index = 0;
    while index < positions.len() {
        let found = behind(&positions[index], depth);
        if found.is_some() {
            return found;
        }
        index += 1;
    }
    None
}

const fn in_fields(object: &Object, depth: u8) -> Option<Unreadable> {
    let Some(fields) = object.fields.as_static() else { return None };
    let mut index = 0;
    while index < fields.len() {
        let found = if fields[index].flatten { None } else { behind(&fields[index].shape, depth) };
        if found.is_some() {
            return found;
        }
        index += 1;
    }
    None
}

const fn in_payloads(union: &Union, depth: u8) -> Option<Unreadable> {
    let Some(variants) = union.variants.as_static() else { return None };
    let mut index = 0;
    while index < variants.len() {
        let found = match &variants[index].payload {
            Some(payload) => behind(payload, depth),
            None => None,
        };
        if found.is_some() {
            return found;
        }
        index += 1;
    }
    None
}

/// Returns `true` if a bound of the type exceeds 64 bits.
const fn is_wide(rules: &List<Rule>) -> bool {
    let Some(rules) = rules.as_static() else { return false };
    let mut index = 0;
    while index < rules.len() {
        if let Rule::Range(range) = &rules[index]
            && let Some(max) = range.max
        {
            return match max {
                Number::Integer(max) => max > u64::MAX as i128,
                Number::Large(_) => true,
                Number::Float(_) => false,
            } || matches!(range.min, Some(Number::Integer(min)) if min < i64::MIN as i128);
        }
        index += 1;
    }
    false
}
