//! Which types make serde try exponentially many ways.
//!
//! serde decodes an `untagged` enum by trying its variants one after the other on the same value. Where such an enum leads back to itself,
//! each level of nesting multiplies the attempts. The other constructs that buffer a value (internal tags, `flatten`) choose once, by
//! a name, so they cost no more than a copy for each level, and the depth is bounded.

use std::any::TypeId;

use crate::input::ToolInput;
use crate::shape::{Kind, Ref, Remembered, Shape, Tagging, Union};

/// Whether some union without a tag contains itself, so that the checker has to look before serde does.
///
/// It walks the whole shape: remember the answer.
pub(super) fn shape_is_explosive(shape: &Shape) -> bool {
    let mut untagged = Vec::new();
    let is_seen = shape.walk(|edge, shape| {
        if tries_in_turn(shape) {
            untagged.push(edge.clone());
        }
        true
    });
    // The root has no edge of its own; where a cycle leads back to it, it has been found behind one.
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

/// [`shape_is_explosive`], remembered for each type.
pub(super) fn is_explosive<T: ToolInput>() -> bool {
    static VERDICTS: Remembered = Remembered::new();

    VERDICTS.verdict(TypeId::of::<T>(), || shape_is_explosive(T::SHAPE))
}
