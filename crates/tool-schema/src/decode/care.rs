//! What serde must not do with a type on its own: [`Care`].
//!
//! In comes a shape; out goes whether the checker has to look before serde does, because serde would try exponentially many ways, and whether
//! it has to look afterwards, because serde reads structs and enums from arrays and the type has a sensitive field. There a position would say
//! which value is the secret, and no schema mentions it.

use super::explosive::shape_is_explosive;
use crate::shape::{Kind, Ref, Shape};

/// What a decode of one type has to take care of; a tool remembers it.
#[derive(Clone, Copy, Debug)]
pub struct Care {
    pub(super) is_explosive: bool,
    pub(super) has_secrets: bool,
}

impl Care {
    /// Nothing: serde accepts what the checker accepts, as fast as it can.
    pub(super) const NONE: Self = Self { is_explosive: false, has_secrets: false };

    /// Walks the whole shape.
    pub(super) fn of(shape: &Shape) -> Self {
        Self { is_explosive: shape_is_explosive(shape), has_secrets: shape.has_secrets() }
    }
}

/// Whether the compiler can see that a type needs no care: without an edge to the heap there is no cycle, so nothing explodes.
pub(crate) const fn needs_no_care(shape: &Shape) -> bool {
    match &shape.kind {
        Kind::Array(inner) | Kind::Nullable(inner) | Kind::Alias(inner) | Kind::Map { values: inner, .. } => {
            is_direct(inner)
        }
        Kind::Tuple(positions) => {
            let Some(positions) = positions.as_static() else { return false };
            let mut index = 0;
            while index < positions.len() {
                if !is_direct(&positions[index]) {
                    return false;
                }
                index += 1;
            }
            true
        }
        Kind::Object(object) => {
            let Some(fields) = object.fields.as_static() else { return false };
            let mut index = 0;
            while index < fields.len() {
                if fields[index].sensitive || !is_direct(&fields[index].shape) {
                    return false;
                }
                index += 1;
            }
            true
        }
        Kind::Union(union) => {
            let Some(variants) = union.variants.as_static() else { return false };
            let mut index = 0;
            while index < variants.len() {
                if let Some(payload) = &variants[index].payload
                    && !is_direct(payload)
                {
                    return false;
                }
                index += 1;
            }
            true
        }
        _ => true,
    }
}

const fn is_direct(edge: &Ref) -> bool {
    match edge {
        Ref::Static(shape) => needs_no_care(shape),
        _ => false,
    }
}
