//! What each row of `docs/agreement.md` is about, as a condition on a type and a value.

use tests::generate::{Place, any_place, goes_by};
use tests::tree::Tree;
use tool_runtime::shape::{Field, Kind, Object, Precision, Rule, Shape, Tagging, Union, Unknown};

use crate::filter::Predicate;

/// The rows under "Typed path, checker, schema".
pub(crate) const AGREEMENT: &[(&str, Predicate)] = &[
    ("array-for-struct", |shape, tree| at(shape, tree, is_positional)),
    ("unit-variant-as-map", |shape, tree| at(shape, tree, is_unit_as_map)),
    ("repeated-key", |_, tree| tree.any(&mut |tree| repeats(tree))),
    ("integer-with-fraction", |shape, tree| at(shape, tree, |place, tree| is_integer(place) && is_odd_integer(tree))),
    ("set-with-duplicates", |shape, tree| at(shape, tree, |place, _| is_set(place))),
    ("alias", |shape, tree| at(shape, tree, |place, tree| field_under(place, tree, is_alias))),
    ("alias-unseen", |shape, tree| at(shape, tree, |place, tree| field_under(place, tree, is_alias))),
    ("hidden", |shape, tree| at(shape, tree, |place, tree| field_under(place, tree, is_hidden))),
    ("hidden-unseen", |shape, tree| at(shape, tree, |place, tree| field_under(place, tree, is_hidden))),
];

/// The rows under "Our schema and that of schemars".
pub(crate) const AGAINST_SCHEMARS: &[(&str, Predicate)] = &[];

fn at(shape: &'static Shape, tree: &Tree, condition: fn(&Place, &Tree) -> bool) -> bool {
    any_place(&Place::of(shape), tree, &condition)
}

/// An array where a struct or a tagged union is expected.
fn is_positional(place: &Place, tree: &Tree) -> bool {
    matches!(tree, Tree::Array(_)) && matches!(place.shape.kind, Kind::Object(_) | Kind::Union(_))
}

fn is_unit_as_map(place: &Place, tree: &Tree) -> bool {
    let Kind::Union(union) = &place.shape.kind else { return false };
    let null = |(key, value): &(String, Tree)| {
        *value == Tree::Null && union.variants.iter().any(|variant| variant.payload.is_none() && goes_by(variant, key))
    };
    tree.members().iter().any(null)
}

fn repeats(tree: &Tree) -> bool {
    let members = tree.members();
    members.iter().enumerate().any(|(index, (key, _))| members[..index].iter().any(|(other, _)| other == key))
}

fn is_integer(place: &Place) -> bool {
    matches!(place.shape.kind, Kind::Integer)
}

/// A number that is an integer for JSON Schema and not for serde.
fn is_odd_integer(tree: &Tree) -> bool {
    matches!(tree, Tree::Number(text) if text.contains(['.', 'e', 'E']) || text == "-0")
}

fn is_set(place: &Place) -> bool {
    matches!(place.shape.kind, Kind::Array(_)) && place.rules.iter().any(|rule| matches!(rule, Rule::UniqueItems))
}

/// Whether a member belongs to a field in a certain way.
fn field_under(place: &Place, tree: &Tree, how: fn(&Field, &str) -> bool) -> bool {
    let Kind::Object(Object { fields, .. }) = &place.shape.kind else { return false };
    fields.iter().any(|field| tree.members().iter().any(|(key, _)| how(field, key)))
}

fn is_alias(field: &Field, key: &str) -> bool {
    field.aliases.iter().any(|alias| **alias == *key)
}

fn is_hidden(field: &Field, key: &str) -> bool {
    field.hidden && (*field.name == *key || is_alias(field, key))
}
