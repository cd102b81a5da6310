//! Locations of unions, and the ways in which a value names a variant.

use tests::generate::{Place, end, goes_by};
use tests::tree::Tree;
use tool_schema::shape::{Kind, Ref, Tagging, Union, UnknownKeys, Variant};

use super::repeats;

pub(super) fn union(place: &Place) -> Option<&'static Union> {
    if let Kind::Union(union) = &place.shape.kind { Some(union) } else { None }
}

/// Returns the variants whose names can occur: those of an enum, and those of an enum as the key of a map.
pub(super) fn variants(place: &Place) -> impl Iterator<Item = &'static Variant> {
    let keys = if let Kind::Map { keys, .. } = &place.shape.kind { Some(Place::of(end(keys))) } else { None };
    let of_keys = keys.as_ref().and_then(union);
    union(place).into_iter().chain(of_keys).flat_map(|union| union.variants.iter())
}

/// Returns `true` for an array in place of a struct or a tagged union.
pub(super) fn is_positional(place: &Place, tree: &Tree) -> bool {
    let by_name = match &place.shape.kind {
        Kind::Object(_) => true,
        Kind::Union(union) => union.tagging != Tagging::Untagged,
        _ => false,
    };
    by_name && matches!(tree, Tree::Array(_))
}

pub(super) fn is_unit_as_map(place: &Place, tree: &Tree) -> bool {
    let is_unit = |key: &str| variants(place).any(|variant| variant.payload.is_none() && goes_by(variant, key));
    tree.members().iter().any(|(key, value)| *value == Tree::Null && is_unit(key))
}

/// Returns the value of the tag. Of repeated tags it is the last one, which a validator sees.
pub(super) fn tag<'t>(place: &Place, tree: &'t Tree) -> Option<&'t Tree> {
    match &union(place)?.tagging {
        Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } => {
            tree.members().iter().rev().find(|(key, _)| **key == **tag).map(|(_, value)| value)
        }
        _ => None,
    }
}

/// Returns `true` if a key, a string or a tag of the value is a wanted name.
pub(super) fn has_name(place: &Place, tree: &Tree, wanted: &dyn Fn(&str) -> bool) -> bool {
    let text = |tree: &Tree| matches!(tree, Tree::String(name) if wanted(name));
    tree.members().iter().any(|(key, _)| wanted(key)) || text(tree) || tag(place, tree).is_some_and(text)
}

/// Returns `true` for an adjacent tag without content, if the content could be `None`.
pub(super) fn lacks_content(place: &Place, tree: &Tree) -> bool {
    let Some(Tagging::Adjacent { content, .. }) = union(place).map(|union| &union.tagging) else { return false };
    let Some(Tree::String(name)) = tag(place, tree) else { return false };
    let is_optional =
        |variant: &'static Variant| variant.payload.as_ref().is_some_and(|payload| Place::of(end(payload)).nullable);
    tree.member_of(content).is_none() && variants(place).any(|variant| goes_by(variant, name) && is_optional(variant))
}

pub(super) fn has_null_content(place: &Place, tree: &Tree) -> bool {
    content(place, tree) == Some(&Tree::Null)
}

/// Returns the content beside an adjacent tag.
pub(super) fn content<'t>(place: &Place, tree: &'t Tree) -> Option<&'t Tree> {
    let Some(Tagging::Adjacent { content, .. }) = union(place).map(|union| &union.tagging) else { return None };
    tree.member_of(content)
}

/// Returns `true` for a name that only the variant `other` has.
pub(super) fn is_other(place: &Place, name: &str) -> bool {
    let mut by_name = variants(place).filter(|variant| goes_by(variant, name)).peekable();
    by_name.peek().is_some() && by_name.all(|variant| variant.other && *variant.name != *name)
}

/// Returns `true` if there are keys beside that of a variant, including an internal tag.
pub(super) fn has_keys_beside_variant(place: &Place, tree: &Tree) -> bool {
    let is_external =
        |payload: &'static Ref| union(&Place::of(end(payload))).is_some_and(|union| union.tagging == Tagging::External);
    tag(place, tree).is_some()
        && tree.members().len() > 2
        && variants(place).filter_map(|variant| variant.payload.as_ref()).any(is_external)
}

pub(super) fn repeats_variant(inner: &Place, tree: &Tree) -> bool {
    names_two_variants(inner, tree) && repeats(tree)
}

pub(super) fn names_two_variants(inner: &Place, tree: &Tree) -> bool {
    let named = |(key, _): &&(String, Tree)| variants(inner).any(|variant| goes_by(variant, key));
    union(inner).is_some_and(|union| union.tagging == Tagging::External)
        && tree.members().iter().filter(named).count() > 1
}

/// Returns `true` for an internally tagged unit variant with additional keys in a closed union.
pub(super) fn is_closed_unit(place: &Place, tree: &Tree) -> bool {
    let Some(Tree::String(name)) = tag(place, tree) else { return false };
    union(place).is_some_and(|union| {
        union.unknown == UnknownKeys::Rejected && matches!(union.tagging, Tagging::Internal { .. })
    }) && tree.members().len() > 1
        && variants(place).any(|variant| variant.payload.is_none() && goes_by(variant, name))
}

/// Returns `true` for a tag whose variant has no content.
pub(super) fn holds_unit(place: &Place, tree: &Tree) -> bool {
    let Some(Tree::String(name)) = tag(place, tree) else { return false };
    let is_unit =
        |variant: &Variant| variant.payload.as_ref().is_none_or(|payload| matches!(payload.shape().kind, Kind::Null));
    variants(place).any(|variant| goes_by(variant, name) && is_unit(variant))
}
