//! [`Care`]: the precautions for a type that serde must not decode alone.
//!
//! The checker runs before serde if serde would try exponentially many alternatives. It runs after serde if the type has a sensitive field,
//! because serde also decodes structs and enums from arrays. In an array, only its position marks a value as the secret, and the schema
//! does not mention arrays.

use super::exponential_types::shape_is_explosive;
use crate::shape::const_loop::any;
use crate::shape::{Kind, Ref, Shape};

/// The precautions that decoding a type requires. Each tool caches those for its own type.
#[derive(Clone, Copy, Debug)]
pub struct Care {
    pub(super) is_explosive: bool,
    pub(super) has_secrets: bool,
}

impl Care {
    /// No precautions, for a type that has no secrets and that serde decodes in a bounded number of attempts.
    pub(super) const NONE: Self = Self { is_explosive: false, has_secrets: false };

    /// Computes the precautions by walking the whole shape.
    pub(super) fn from_shape(shape: &Shape) -> Self {
        Self { is_explosive: shape_is_explosive(shape), has_secrets: shape.has_secrets() }
    }
}

/// Returns `true` if it is certain at compile time that decoding a type needs no precautions. This is certain for a type without sensitive
/// fields that contains nothing behind a `Box`, in a `Vec` or in a map: such a type cannot contain itself, so decoding it cannot take
/// exponential time.
pub(crate) const fn needs_no_care(shape: &Shape) -> bool {
    match &shape.kind {
        Kind::Array(inner) | Kind::Nullable(inner) | Kind::Alias(inner) | Kind::Map { values: inner, .. } => {
            is_direct(inner)
        }
        Kind::Tuple(positions) => match positions.as_static() {
            Some(positions) => !any!(edge in positions => !is_direct(edge)),
            None => false,
        },
        Kind::Object(object) => match object.fields.as_static() {
            Some(fields) => !any!(field in fields => field.sensitive || !is_direct(&field.shape)),
            None => false,
        },
        Kind::Union(union) => match union.variants.as_static() {
            Some(variants) => !any!(variant in variants => match &variant.payload {
                Some(payload) => !is_direct(payload),
                None => false,
            }),
            None => false,
        },
        _ => true,
    }
}

const fn is_direct(edge: &Ref) -> bool {
    match edge {
        Ref::Static(shape) => needs_no_care(shape),
        _ => false,
    }
}
