//! A traversal of a value together with its shape, which visits every location of the shape that may apply to a part of the value.

use tool_schema::shape::{Field, Kind, Tagging, Union, Variant};

use super::{Place, end, limits};
use crate::tree::Tree;

/// Returns `true` if any location together with its value satisfies the condition. If the variant of a union is unknown, all variants
/// count.
pub fn any_place(place: &Place, tree: &Tree, condition: &dyn Fn(&Place, &Tree) -> bool) -> bool {
    if condition(place, tree) {
        return true;
    }
    let visit = |edge, tree: &Tree| any_place(&Place::of(end(edge)), tree, condition);
    // Items and values also have the inner rules of their location.
    let inside =
        |edge, tree: &Tree| any_place(&Place::with(end(edge), limits::inner(&place.rules), None), tree, condition);
    match &place.shape.kind {
        Kind::Array(items) => tree.items().iter().any(|item| inside(items, item)),
        Kind::Tuple(positions) => positions.iter().zip(tree.items()).any(|(edge, item)| visit(edge, item)),
        Kind::Map { values, .. } => tree.members().iter().any(|(_, value)| inside(values, value)),
        Kind::Object(object) => object.fields.iter().any(|field| any_field(field, tree, condition)),
        Kind::Union(union) => union.variants.iter().any(|variant| any_variant(union, variant, tree, condition)),
        _ => false,
    }
}

fn any_field(field: &'static Field, tree: &Tree, condition: &dyn Fn(&Place, &Tree) -> bool) -> bool {
    let place = Place::of_field(field);
    if field.flatten {
        return !matches!(place.shape.kind, Kind::Any) && any_place(&place, tree, condition);
    }
    let named = |key: &str| *field.name == *key || field.aliases.iter().any(|alias| **alias == *key);
    tree.members().iter().filter(|(key, _)| named(key)).any(|(_, value)| any_place(&place, value, condition))
}

/// Returns `true` if a variant has this name; the variant `other` has every name.
pub fn goes_by(variant: &Variant, name: &str) -> bool {
    variant.other || *variant.name == *name || variant.aliases.iter().any(|alias| **alias == *name)
}

fn any_variant(
    union: &'static Union,
    variant: &'static Variant,
    tree: &Tree,
    condition: &dyn Fn(&Place, &Tree) -> bool,
) -> bool {
    let Some(payload) = &variant.payload else { return false };
    let visit = |tree: &Tree| any_place(&Place::of(end(payload)), tree, condition);
    let tagged = |tag: &str| matches!(tree.member_of(tag), Some(Tree::String(name)) if goes_by(variant, name));
    if variant.untagged {
        return visit(tree);
    }
    match &union.tagging {
        Tagging::Untagged => visit(tree),
        Tagging::External => {
            tree.members().iter().filter(|(key, _)| goes_by(variant, key)).any(|(_, value)| visit(value))
        }
        Tagging::Internal { tag } => tagged(tag) && visit(tree),
        Tagging::Adjacent { tag, content } => tagged(tag) && tree.member_of(content).is_some_and(visit),
    }
}
