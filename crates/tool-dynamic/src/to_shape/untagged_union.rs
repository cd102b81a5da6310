//! Unions without a tag, and their branches.

use std::sync::Arc;

use crate::private::shape::{Kind, Ref, Shape, Tagging, Text, Union, UnknownKeys, Variant, unit_variant};

/// Creates a branch without a tag.
pub(super) fn payload(shape: Shape) -> Variant {
    let name = if shape.name.is_empty() { Text::from(shape.kind.name().to_owned()) } else { shape.name.clone() };
    Variant { doc: shape.doc.clone(), payload: Some(Ref::Shared(Arc::new(shape))), ..unit_variant(name) }
}

/// Creates a union without tags.
pub(super) fn untagged(variants: Vec<Variant>) -> Kind {
    Kind::Union(Union { tagging: Tagging::Untagged, variants: variants.into(), unknown: UnknownKeys::Ignored })
}
