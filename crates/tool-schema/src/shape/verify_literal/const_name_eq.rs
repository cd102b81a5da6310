//! Compares the names of fields, variants and tags at compile time.
//!
//! Names that were created at run time are skipped.

use super::const_json::Literal;
use crate::shape::const_loop::{any, first};
use crate::shape::{Field, Text, Variant};

pub(super) const fn member<'l>(members: &'l [(&'static str, Literal)], field: &Field) -> Option<&'l Literal> {
    first!(member in members => if is_key(member.0, field) { Some(&member.1) } else { None })
}

pub(super) const fn is_key(key: &str, field: &Field) -> bool {
    named(key, &field.name, field.aliases.as_static())
}

pub(super) const fn names(name: &str, variant: &Variant) -> bool {
    variant.other || named(name, &variant.name, variant.aliases.as_static())
}

pub(super) const fn value<'l>(members: &'l [(&'static str, Literal)], key: &str) -> Option<&'l Literal> {
    first!(member in members => if same(member.0, key) { Some(&member.1) } else { None })
}

const fn named(key: &str, name: &Text, aliases: Option<&[Text]>) -> bool {
    match aliases {
        _ if equals_text(key, name) => true,
        Some(aliases) => any!(alias in aliases => equals_text(key, alias)),
        None => false,
    }
}

/// Returns a name for the message; generated shapes only have static names.
pub(super) const fn text(name: &Text) -> &'static str {
    match name.as_static() {
        Some(name) => name,
        None => "",
    }
}

const fn equals_text(key: &str, text: &Text) -> bool {
    match text.as_static() {
        Some(text) => same(key, text),
        None => false,
    }
}

/// Compares two texts, because `==` is not a `const fn`.
pub(in crate::shape) const fn same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut index = 0;
    while index < left.len() {
        if left[index] != right[index] {
            return false;
        }
        index += 1;
    }
    true
}
