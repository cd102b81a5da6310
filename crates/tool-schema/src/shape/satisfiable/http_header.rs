//! Checks at compile time that the values of a parameter can be sent in an HTTP header (`x-mcp-header` of the Model Context Protocol).
//!
//! The protocol allows strings, booleans, and integers that every JSON parser represents exactly.

use super::bounds::{End, Ends};
use super::{with_rules, with_rules_of};
use crate::json::Number;
use crate::shape::const_loop::any;
use crate::shape::{Kind, Ref, Rule, Shape, Tagging, Union};

/// The limit up to which a double represents every integer exactly.
const SAFE: i128 = (1 << 53) - 1;

/// Panics if the shape, restricted by `rules`, has values that the Model Context Protocol does not allow in an HTTP header.
#[track_caller]
pub const fn assert_fits_http_header(shape: &Shape, rules: &[Rule]) {
    on_leaf(shape, with_rules(rules, Ends::NONE));
}

#[track_caller]
const fn on_leaf(shape: &Shape, own: Ends) {
    let own = with_rules_of(shape, own);
    match &shape.kind {
        Kind::String | Kind::Boolean => {}
        Kind::Integer => assert!(
            is_safe(own),
            "the integers of a header have at most 53 bits: take a smaller type, or add `range` with bounds between -9007199254740991 and \
             9007199254740991"
        ),
        Kind::Nullable(Ref::Static(inner)) | Kind::Alias(Ref::Static(inner)) => on_leaf(inner, own),
        Kind::Union(union) if is_text(union) => {}
        _ => panic!("a header has a text, an integer or a boolean: take a type of this kind, or remove `mcp_header`"),
    }
}

const fn is_safe(own: Ends) -> bool {
    let own = own.whole();
    let (below, above) =
        (Ends { low: own.low, high: Some(end(-SAFE - 1)) }, Ends { low: Some(end(SAFE + 1)), high: own.high });
    own.low.is_some() && own.high.is_some() && below.are_empty() && above.are_empty()
}

const fn end(integer: i128) -> End {
    End { value: Number::Integer(integer), exclusive: false }
}

/// Returns `true` for an enum that is always written as a string.
const fn is_text(union: &Union) -> bool {
    let (Tagging::External, Some(variants)) = (&union.tagging, union.variants.as_static()) else { return false };
    !any!(variant in variants => variant.payload.is_some() || variant.untagged)
}
