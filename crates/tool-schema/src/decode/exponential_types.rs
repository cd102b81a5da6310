//! Finds types that make serde try exponentially many alternatives.
//!
//! serde decodes an `untagged` enum by trying its variants one after the other on the same value. If such an enum refers to itself, each
//! level of nesting multiplies the attempts. Other constructs that buffer a value (internal tags, `flatten`) choose once, by a name. They
//! cost a copy for each level, and the depth is bounded.

use std::any::TypeId;

use crate::input::ToolInput;
use crate::shape::{Kind, Ref, Shape, Tagging, TypeCache, Union};

/// Returns `true` if some untagged union contains itself, so that the checker has to run before serde.
///
/// It walks the whole shape, so cache the result.
pub(super) fn shape_is_explosive(shape: &Shape) -> bool {
    let mut untagged = Vec::new();
    let is_seen = shape.walk(|edge, shape| {
        if tries_in_turn(shape) {
            untagged.push(edge.clone());
        }
        true
    });
    // No edge was followed to reach the root. If a cycle leads back to the root, its last edge leads there, and the walk visits that edge.
    let returns = |edge: &Ref| {
        let start = edge.shape();
        let mut returns = false;
        let is_seen = start.walk(|_, shape| {
            returns |= shape.identity.is_some() && shape.identity == start.identity;
            !returns
        });
        returns || !is_seen
    };
    !is_seen || untagged.iter().any(returns)
}

fn tries_in_turn(shape: &Shape) -> bool {
    match &shape.kind {
        Kind::Union(Union { tagging: Tagging::Untagged, .. }) => true,
        Kind::Union(union) => union.variants.iter().any(|variant| variant.untagged),
        _ => false,
    }
}

/// Caches [`shape_is_explosive`] for each type.
pub(super) fn is_explosive<T: ToolInput>() -> bool {
    static VERDICTS: TypeCache = TypeCache::new();

    VERDICTS.verdict(TypeId::of::<T>(), || shape_is_explosive(T::SHAPE))
}
