//! What each row of `docs/agreement.md` is about, as a condition on a type and a value.

use tests::generate::{Place, any_place, end, goes_by};
use tests::tree::Tree;
use tool_runtime::shape::{Field, Format, Kind, Precision, Ref, Rule, Shape, Tagging, Text, Union, Unknown, Variant};

use crate::filter::Predicate;

/// The rows under "Typed path, checker, schema".
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
];

/// The rows under "Our schema and that of schemars".
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

fn union(place: &Place) -> Option<&'static Union> {
    if let Kind::Union(union) = &place.shape.kind { Some(union) } else { None }
}

/// The variants whose names stand here: those of an enum, and those of an enum that is the key of a map.
fn variants(place: &Place) -> impl Iterator<Item = &'static Variant> {
    let keys = if let Kind::Map { keys, .. } = &place.shape.kind { Some(Place::of(end(keys))) } else { None };
    let of_keys = keys.as_ref().and_then(union);
    union(place).into_iter().chain(of_keys).flat_map(|union| union.variants.iter())
}

/// An array where a struct or a tagged union is expected.
fn is_positional(place: &Place, tree: &Tree) -> bool {
    let by_name = match &place.shape.kind {
        Kind::Object(_) => true,
        Kind::Union(union) => union.tagging != Tagging::Untagged,
        _ => false,
    };
    by_name && matches!(tree, Tree::Array(_))
}

fn is_unit_as_map(place: &Place, tree: &Tree) -> bool {
    let is_unit = |key: &str| variants(place).any(|variant| variant.payload.is_none() && goes_by(variant, key));
    tree.members().iter().any(|(key, value)| *value == Tree::Null && is_unit(key))
}

/// The value of the tag, the last one where it is given twice: that is what a validator sees.
fn tag<'t>(place: &Place, tree: &'t Tree) -> Option<&'t Tree> {
    match &union(place)?.tagging {
        Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } => {
            tree.members().iter().rev().find(|(key, _)| **key == **tag).map(|(_, value)| value)
        }
        _ => None,
    }
}

fn repeats(tree: &Tree) -> bool {
    let members = tree.members();
    members.iter().enumerate().any(|(index, (key, _))| members[..index].iter().any(|(other, _)| other == key))
}

fn is_map(place: &Place) -> bool {
    matches!(place.shape.kind, Kind::Map { .. })
}

/// Whether a map by integers of more than so many digits has a key that is none of them.
fn keys_beyond(place: &Place, tree: &Tree, digits: usize) -> bool {
    let Kind::Map { keys, .. } = &place.shape.kind else { return false };
    let keys = Place::of(end(keys));
    let (Kind::Integer, ends) = (&keys.shape.kind, tests::generate::integers(&keys.rules)) else { return false };
    let is_plain = |key: &str, number: i128| number.to_string() == key && (ends.min..=ends.max).contains(&number);
    let is_beyond = |key: &str| !key.parse().is_ok_and(|number| is_plain(key, number));
    ends.max.to_string().len() > digits && tree.members().iter().any(|(key, _)| is_beyond(key))
}

fn is_null(place: &Place) -> bool {
    matches!(place.shape.kind, Kind::Null)
}

fn is_integer(place: &Place) -> bool {
    matches!(place.shape.kind, Kind::Integer)
}

fn is(tree: &Tree, number: &str) -> bool {
    matches!(tree, Tree::Number(text) if text == number)
}

/// A number that is an integer for JSON Schema and not for serde.
fn is_odd_integer(tree: &Tree) -> bool {
    matches!(tree, Tree::Number(text) if text.contains(['.', 'e', 'E']) || text == "-0")
}

fn is_large(tree: &Tree) -> bool {
    matches!(tree, Tree::Number(text) if text.parse::<u64>().is_err() && text.parse::<i64>().is_err() && !text.contains(['.', 'e', 'E']))
}

fn is_single(place: &Place) -> bool {
    matches!(place.shape.kind, Kind::Number(Precision::Single))
}

fn overflows_single(tree: &Tree) -> bool {
    matches!(tree, Tree::Number(text) if text.parse::<f32>().is_ok_and(f32::is_infinite))
}

fn overflows(tree: &Tree) -> bool {
    matches!(tree, Tree::Number(text) if text.parse::<f64>().is_ok_and(f64::is_infinite))
}

fn is_float(place: &Place) -> bool {
    matches!(place.shape.kind, Kind::Number(_))
}

/// Whether serde reads into a buffer before it knows the type.
fn may_buffer(place: &Place) -> bool {
    union(place).is_some() || flattens(place, |_| true)
}

fn is_set(place: &Place) -> bool {
    matches!(place.shape.kind, Kind::Array(_)) && place.rules.iter().any(|rule| matches!(rule, Rule::UniqueItems))
}

fn has_equal_items(tree: &Tree) -> bool {
    let items = tree.items();
    items.iter().enumerate().any(|(index, item)| items[..index].contains(item))
}

fn is_number(tree: &Tree) -> bool {
    matches!(tree, Tree::Number(_))
}

/// A number that does not fit 32 bits.
fn is_wide(tree: &Tree) -> bool {
    matches!(tree, Tree::Number(text) if text.parse::<f64>().is_ok_and(|value| value.abs() > f64::from(i32::MAX)))
}

fn is_address(place: &Place) -> bool {
    let is_address =
        |place: &Place| place.rules.iter().any(|rule| matches!(rule, Rule::Format(Format::Ipv4 | Format::Ipv6)));
    is_address(place)
        || variants(place).filter_map(|variant| variant.payload.as_ref()).any(|edge| is_address(&Place::of(end(edge))))
}

/// The names that stand at a place: keys, a string, a tag.
fn has_name(place: &Place, tree: &Tree, wanted: &dyn Fn(&str) -> bool) -> bool {
    let text = |tree: &Tree| matches!(tree, Tree::String(name) if wanted(name));
    tree.members().iter().any(|(key, _)| wanted(key)) || text(tree) || tag(place, tree).is_some_and(text)
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

/// An adjacent tag without the content that its variant would read as `None`.
fn lacks_content(place: &Place, tree: &Tree) -> bool {
    let Some(Tagging::Adjacent { content, .. }) = union(place).map(|union| &union.tagging) else { return false };
    let Some(Tree::String(name)) = tag(place, tree) else { return false };
    let is_optional =
        |variant: &'static Variant| variant.payload.as_ref().is_some_and(|payload| Place::of(end(payload)).nullable);
    tree.member_of(content).is_none() && variants(place).any(|variant| goes_by(variant, name) && is_optional(variant))
}

fn has_null_content(place: &Place, tree: &Tree) -> bool {
    let Some(Tagging::Adjacent { content, .. }) = union(place).map(|union| &union.tagging) else { return false };
    tree.member_of(content) == Some(&Tree::Null)
}

/// A name that only the variant for all others goes by.
fn is_other(place: &Place, name: &str) -> bool {
    let mut by_name = variants(place).filter(|variant| goes_by(variant, name)).peekable();
    by_name.peek().is_some() && by_name.all(|variant| variant.other && *variant.name != *name)
}

fn flattens(place: &Place, condition: impl Fn(&Place) -> bool) -> bool {
    fields(place).filter(|field| field.flatten).any(|field| condition(&Place::of_field(field)))
}

/// Whether a member of a certain kind is meant for a flattened `Option`.
fn fills_option(place: &Place, tree: &Tree, kind: fn(&Tree) -> bool) -> bool {
    let named = |field: &Field, key: &str| *field.name == *key || field.aliases.iter().any(|alias| **alias == *key);
    let meant = |inner: &Place, key: &str| is_map(inner) || fields(inner).any(|field| named(field, key));
    flattens(place, |inner| {
        inner.nullable && tree.members().iter().any(|(key, value)| meant(inner, key) && kind(value))
    })
}

/// Whether there is a number beside a flattened `Option` of an enum.
fn fills_optional_enum(place: &Place, tree: &Tree) -> bool {
    let is_optional = |inner: &Place| inner.nullable && union(inner).is_some();
    flattens(place, is_optional) && tree.members().iter().any(|(_, value)| is_number(value))
}

/// Several items that must differ.
fn may_be_equal(place: &Place, tree: &Tree) -> bool {
    is_set(place) && tree.items().len() > 1
}

/// Items that must differ, and of which only the checker says whether they do.
pub(crate) fn asks_the_checker(shape: &'static Shape, tree: &Tree) -> bool {
    at(shape, tree, may_be_equal)
}

/// A key that is no character, or no name of its enum, in a map by them.
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

/// Keys beside the one of a variant, where an internal tag is among them.
fn has_keys_beside_variant(place: &Place, tree: &Tree) -> bool {
    let is_external =
        |payload: &'static Ref| union(&Place::of(end(payload))).is_some_and(|union| union.tagging == Tagging::External);
    tag(place, tree).is_some()
        && tree.members().len() > 2
        && variants(place).filter_map(|variant| variant.payload.as_ref()).any(is_external)
}

fn repeats_variant(inner: &Place, tree: &Tree) -> bool {
    names_two_variants(inner, tree) && repeats(tree)
}

fn names_two_variants(inner: &Place, tree: &Tree) -> bool {
    let named = |(key, _): &&(String, Tree)| variants(inner).any(|variant| goes_by(variant, key));
    union(inner).is_some_and(|union| union.tagging == Tagging::External)
        && tree.members().iter().filter(named).count() > 1
}

/// An internally tagged unit variant with more than its tag, among closed ones.
fn is_closed_unit(place: &Place, tree: &Tree) -> bool {
    let Some(Tree::String(name)) = tag(place, tree) else { return false };
    union(place)
        .is_some_and(|union| union.unknown == Unknown::Refused && matches!(union.tagging, Tagging::Internal { .. }))
        && tree.members().len() > 1
        && variants(place).any(|variant| variant.payload.is_none() && goes_by(variant, name))
}

/// A tag whose variant holds nothing.
fn holds_unit(place: &Place, tree: &Tree) -> bool {
    let Some(Tree::String(name)) = tag(place, tree) else { return false };
    let is_unit =
        |variant: &Variant| variant.payload.as_ref().is_none_or(|payload| matches!(payload.shape().kind, Kind::Null));
    variants(place).any(|variant| goes_by(variant, name) && is_unit(variant))
}
