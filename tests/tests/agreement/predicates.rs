//! The predicate of each row of `docs/agreement.md`: a condition on a type and a value.

mod numbers;
mod texts;
mod unions;

use tests::generate::{Place, any_place, end};
use tests::tree::Tree;
use tool_schema::shape::{Field, Kind, Rule, Shape, StringFormat, Text};

use self::numbers::{
    is, is_float, is_integer, is_large, is_number, is_odd_integer, is_single, is_wide, keys_beyond, overflows,
    overflows_single,
};
use self::texts::{has_escaped_space, has_false_digit, has_undecoded_label, is_beside_letters, is_beyond_mailbox};
use self::unions::{
    content, has_keys_beside_variant, has_name, has_null_content, holds_unit, is_closed_unit, is_other, is_positional,
    is_unit_as_map, lacks_content, names_two_variants, repeats_variant, tag, union, variants,
};
use crate::agreement::filter::Predicate;

/// The predicates of the table "Typed path, checker, schema".
pub(crate) const AGREEMENT: &[(&str, Predicate)] = &[
    ("array-for-struct", |shape, tree| at(shape, tree, is_positional)),
    ("unit-variant-as-map", |shape, tree| at(shape, tree, is_unit_as_map)),
    ("unit-tag-as-map", |shape, tree| {
        at(shape, tree, |place, tree| tag(place, tree).is_some_and(|tag| !tag.members().is_empty()))
    }),
    ("tag-as-index", |shape, tree| at(shape, tree, |place, tree| matches!(tag(place, tree), Some(Tree::Number(_))))),
    ("empty-object-for-unit", |shape, tree| {
        at(shape, tree, |place, tree| is_null(place) && *tree == Tree::Object(Vec::new()))
    }),
    ("repeated-key", |_, tree| tree.any(&mut |tree| repeats(tree))),
    ("repeated-key-in-map", |shape, tree| at(shape, tree, |place, tree| is_map(place) && repeats(tree))),
    ("repeated-key-of-variant", |shape, tree| {
        at(shape, tree, |place, tree| flattens(place, |inner| repeats_variant(inner, tree)))
    }),
    ("alias", |shape, tree| at(shape, tree, has_alias)),
    ("alias-unseen", |shape, tree| at(shape, tree, has_alias)),
    ("hidden", |shape, tree| at(shape, tree, has_hidden)),
    ("hidden-unseen", |shape, tree| at(shape, tree, has_hidden)),
    ("integer-with-fraction", |shape, tree| at(shape, tree, |place, tree| is_integer(place) && is_odd_integer(tree))),
    ("negative-zero-of-128-bits", |shape, tree| at(shape, tree, |place, tree| is_integer(place) && is(tree, "-0"))),
    ("integer-beyond-64-bits", |shape, tree| at(shape, tree, |place, tree| is_integer(place) && is_large(tree))),
    ("key-beyond-its-type", |shape, tree| at(shape, tree, |place, tree| keys_beyond(place, tree, 10))),
    ("number-out-of-range", |shape, tree| at(shape, tree, |place, tree| is_single(place) && overflows_single(tree))),
    ("set-with-duplicates", |shape, tree| at(shape, tree, |place, tree| is_set(place) && has_equal_items(tree))),
    ("other", |shape, tree| at(shape, tree, |place, tree| has_name(place, tree, &|name| is_other(place, name)))),
    ("closed-unit-variant", |shape, tree| at(shape, tree, is_closed_unit)),
    ("absent-content-newtype", |shape, tree| at(shape, tree, lacks_content)),
    ("flattened-option", |shape, tree| at(shape, tree, |place, tree| fills_option(place, tree, |_| true))),
    ("flattened-option-width", |shape, tree| at(shape, tree, |place, tree| fills_option(place, tree, is_number))),
    ("first-of-two-variants", |shape, tree| {
        at(shape, tree, |place, tree| flattens(place, |inner| names_two_variants(inner, tree)))
    }),
    ("flattened-enum-width", |shape, tree| at(shape, tree, fills_optional_enum)),
    ("equal-in-rust", |shape, tree| at(shape, tree, may_be_equal)),
    ("equal-numbers", |shape, tree| {
        at(shape, tree, |place, tree| may_be_equal(place, tree) && tree.any(&mut is_odd_integer))
    }),
    ("huge-number-ignored", |_, tree| tree.any(&mut overflows)),
    ("huge-number-buffered", |_, tree| tree.any(&mut overflows)),
    ("huge-number", |shape, tree| at(shape, tree, |place, tree| is_float(place) && overflows(tree))),
    ("huge-number-in-option", |shape, tree| at(shape, tree, |place, tree| fills_option(place, tree, overflows))),
    ("number-buffered", |shape, tree| at(shape, tree, |place, tree| may_buffer(place) && tree.any(&mut is_number))),
    ("undecoded-label", |shape, tree| at(shape, tree, has_undecoded_label)),
    ("false-digit", |shape, tree| at(shape, tree, has_false_digit)),
    ("mailbox", |shape, tree| at(shape, tree, is_beyond_mailbox)),
    ("escaped-space", |shape, tree| at(shape, tree, has_escaped_space)),
    ("word-boundary", |shape, tree| at(shape, tree, |place, tree| is_beside_letters(place, tree, r"\b"))),
    ("no-word-boundary", |shape, tree| at(shape, tree, |place, tree| is_beside_letters(place, tree, r"\B"))),
    ("number-as-content", |shape, tree| at(shape, tree, |place, tree| content(place, tree).is_some_and(is_number))),
];

/// The predicates of the table "Our schema and that of schemars".
pub(crate) const AGAINST_SCHEMARS: &[(&str, Predicate)] = &[
    ("integer-width", |shape, tree| at(shape, tree, |place, tree| is_integer(place) && is_wide(tree))),
    ("key-width", |shape, tree| at(shape, tree, |place, tree| keys_beyond(place, tree, 0))),
    ("foreign-key", |shape, tree| at(shape, tree, has_foreign_key)),
    ("keys-beside-variant", |shape, tree| at(shape, tree, has_keys_beside_variant)),
    ("address", |shape, tree| at(shape, tree, |place, tree| is_address(place) && matches!(tree, Tree::String(_)))),
    ("unit-payload", |shape, tree| at(shape, tree, holds_unit)),
    ("null-content", |shape, tree| {
        at(shape, tree, |place, tree| holds_unit(place, tree) && has_null_content(place, tree))
    }),
    ("absent-content", |shape, tree| at(shape, tree, lacks_content)),
    ("two-variants", |shape, tree| {
        at(shape, tree, |place, tree| flattens(place, |inner| names_two_variants(inner, tree)))
    }),
    ("hidden-key", |shape, tree| at(shape, tree, has_hidden)),
    ("hidden-name", |shape, tree| at(shape, tree, has_hidden)),
];

fn at(shape: &'static Shape, tree: &Tree, condition: fn(&Place, &Tree) -> bool) -> bool {
    any_place(&Place::of(shape), tree, &condition)
}

fn repeats(tree: &Tree) -> bool {
    let members = tree.members();
    members.iter().enumerate().any(|(index, (key, _))| members[..index].iter().any(|(other, _)| other == key))
}

fn is_map(place: &Place) -> bool {
    matches!(place.shape.kind, Kind::Map { .. })
}

fn is_null(place: &Place) -> bool {
    matches!(place.shape.kind, Kind::Null)
}

/// Returns `true` if serde buffers the value before it knows the type.
fn may_buffer(place: &Place) -> bool {
    union(place).is_some() || flattens(place, |_| true)
}

fn is_set(place: &Place) -> bool {
    matches!(place.shape.kind, Kind::Array(_)) && place.rules.iter().any(|rule| matches!(rule, Rule::UniqueItems))
}

/// Returns `true` if two items are equal as JSON, regardless of the order of keys.
fn has_equal_items(tree: &Tree) -> bool {
    let read = |item: &Tree| serde_json::from_str::<serde_json::Value>(&item.to_string()).map_err(|_| item.clone());
    let items: Vec<_> = tree.items().iter().map(read).collect();
    items.iter().enumerate().any(|(index, item)| items[..index].contains(item))
}

fn is_address(place: &Place) -> bool {
    let is_address = |place: &Place| {
        place.rules.iter().any(|rule| matches!(rule, Rule::Format(StringFormat::Ipv4 | StringFormat::Ipv6)))
    };
    is_address(place)
        || variants(place).filter_map(|variant| variant.payload.as_ref()).any(|edge| is_address(&Place::of(end(edge))))
}

fn fields(place: &Place) -> impl Iterator<Item = &'static Field> {
    let object = if let Kind::Object(object) = &place.shape.kind { Some(object) } else { None };
    object.into_iter().flat_map(|object| object.fields.iter())
}

fn has_alias(place: &Place, tree: &Tree) -> bool {
    let aliases = fields(place).map(|field| &field.aliases).chain(variants(place).map(|variant| &variant.aliases));
    let aliases: Vec<&Text> = aliases.flat_map(|aliases| aliases.iter()).collect();
    has_name(place, tree, &|name| aliases.iter().any(|alias| ***alias == *name))
}

fn has_hidden(place: &Place, tree: &Tree) -> bool {
    let fields = fields(place).filter(|field| field.hidden).map(|field| &field.name);
    let variants = variants(place).filter(|variant| variant.hidden).map(|variant| &variant.name);
    let names: Vec<&Text> = fields.chain(variants).collect();
    has_name(place, tree, &|name| names.iter().any(|hidden| ***hidden == *name))
}

fn flattens(place: &Place, condition: impl Fn(&Place) -> bool) -> bool {
    fields(place).filter(|field| field.flatten).any(|field| condition(&Place::of_field(field)))
}

/// Returns `true` if a member of this kind belongs to a flattened `Option`.
fn fills_option(place: &Place, tree: &Tree, kind: fn(&Tree) -> bool) -> bool {
    let named = |field: &Field, key: &str| *field.name == *key || field.aliases.iter().any(|alias| **alias == *key);
    let meant = |inner: &Place, key: &str| is_map(inner) || fields(inner).any(|field| named(field, key));
    flattens(place, |inner| {
        inner.nullable && tree.members().iter().any(|(key, value)| meant(inner, key) && kind(value))
    })
}

/// Returns `true` if there is a number beside a flattened `Option` of an enum.
fn fills_optional_enum(place: &Place, tree: &Tree) -> bool {
    let is_optional = |inner: &Place| inner.nullable && union(inner).is_some();
    flattens(place, is_optional) && tree.members().iter().any(|(_, value)| is_number(value))
}

/// Returns `true` for several items that must be unique.
fn may_be_equal(place: &Place, tree: &Tree) -> bool {
    is_set(place) && tree.items().len() > 1
}

/// Returns `true` for items that must be unique, which only the checker can decide.
pub(crate) fn asks_the_checker(shape: &'static Shape, tree: &Tree) -> bool {
    at(shape, tree, may_be_equal)
}

/// Returns `true` if a map with characters or enums as keys has a different key.
fn has_foreign_key(place: &Place, tree: &Tree) -> bool {
    let foreign = |map: &Place| {
        let Kind::Map { keys, .. } = &map.shape.kind else { return false };
        let keys = Place::of(end(keys));
        let fits = |key: &str| match union(&keys) {
            Some(union) => union.variants.iter().any(|variant| *variant.name == *key),
            None => key.chars().count() == 1 || !matches!(keys.shape.kind, Kind::String),
        };
        tree.members().iter().any(|(key, _)| !fits(key))
    };
    foreign(place) || flattens(place, foreign)
}
