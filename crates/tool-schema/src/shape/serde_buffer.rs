//! Detects types that serde cannot decode from its buffer: maps with integer keys, because keys in the buffer stay strings, and integers of
//! 128 bits, which the buffer cannot store.
//!
//! serde buffers values whose type it does not know yet: variants of untagged and internally tagged enums, and flattened types. The
//! compiler uses `unreadable`, which follows direct edges; `build()` also follows edges to the heap and uses [`unreadable_itself`] on each
//! shape. If a type makes serde buffer its own parts, the parts are not searched, because that type is checked separately.

use super::const_loop::{any, first};
use super::{Identity, Kind, Range, Ref, Rule, Shape, SharedSlice, Tagging, Union};
use crate::json::Number;

/// A type that serde cannot decode from its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnbufferableType {
    /// A map whose keys are integers.
    NumberKeys,
    /// An integer of 128 bits.
    Wide,
}

/// The maximum number of edges that the compiler follows; `build()` checks the rest.
const MOST_DEPTH: u8 = 64;

/// Searches the shape and everything behind its direct edges; returns the first type that serde cannot decode from its buffer.
pub(crate) const fn unreadable(shape: &Shape) -> Option<UnbufferableType> {
    within(shape, MOST_DEPTH)
}

/// Returns the reason why the shape itself cannot be decoded from the buffer, whatever its inner types.
pub const fn unreadable_itself(shape: &Shape) -> Option<UnbufferableType> {
    match &shape.kind {
        Kind::Integer if is_wide(&shape.rules) => Some(UnbufferableType::Wide),
        Kind::Map { keys: Ref::Static(keys), .. } if matches!(keys.kind, Kind::Integer) => {
            Some(UnbufferableType::NumberKeys)
        }
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
    any!(variant in variants => variant.untagged)
}

const fn within(shape: &Shape, depth: u8) -> Option<UnbufferableType> {
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
        Kind::Tuple(positions) => match positions.as_static() {
            Some(positions) => first!(edge in positions => behind(edge, depth)),
            None => None,
        },
        Kind::Object(object) => match object.fields.as_static() {
            Some(fields) => first!(field in fields => if field.flatten { None } else { behind(&field.shape, depth) }),
            None => None,
        },
        Kind::Union(union) if !buffers(shape, union) => match union.variants.as_static() {
            Some(variants) => first!(variant in variants => match &variant.payload {
                Some(payload) => behind(payload, depth),
                None => None,
            }),
            None => None,
        },
        _ => None,
    }
}

const fn behind(edge: &Ref, depth: u8) -> Option<UnbufferableType> {
    match edge {
        Ref::Static(shape) => within(shape, depth - 1),
        _ => None,
    }
}

/// Returns `true` if a bound of the type exceeds 64 bits.
const fn is_wide(rules: &SharedSlice<Rule>) -> bool {
    let Some(rules) = rules.as_static() else { return false };
    let ends = first!(rule in rules => match rule {
        Rule::Range(Range { min, max: Some(max), .. }) => Some((*min, *max)),
        _ => None,
    });
    match ends {
        Some((_, Number::Large(_))) => true,
        Some((_, Number::Integer(max))) if max > u64::MAX as i128 => true,
        Some((Some(Number::Integer(min)), _)) => min < i64::MIN as i128,
        _ => false,
    }
}
