//! Compares the names of fields, variants and tags at compile time.
//!
//! Names that were created at run time are skipped.

use super::literal::Literal;
use crate::shape::{Field, Text, Variant};

pub(super) const fn member<'l>(members: &'l [(&'static str, Literal)], field: &Field) -> Option<&'l Literal> {
    let mut index = 0;
    while index < members.len() {
        if named(members[index].0, &field.name, field.aliases.as_static()) {
            return Some(&members[index].1);
        }
        index += 1;
    }
    None
}

pub(super) const fn known(key: &str, fields: &[Field]) -> bool {
    let mut index = 0;
    while index < fields.len() {
        if named(key, &fields[index].name, fields[index].aliases.as_static()) {
            return true;
        }
        index += 1;
    }
    false
}

pub(super) const fn names(name: &str, variant: &Variant) -> bool {
    variant.other || named(name, &variant.name, variant.aliases.as_static())
}

pub(super) const fn value<'l>(members: &'l [(&'static str, Literal)], key: &str) -> Option<&'l Literal> {
    let mut index = 0;
    while index < members.len() {
        if same(members[index].0, key) {
            return Some(&members[index].1);
        }
        index += 1;
    }
    None
}

const fn named(key: &str, name: &Text, aliases: Option<&[Text]>) -> bool {
    if is(key, name) {
        return true;
    }
    let Some(aliases) = aliases else { return false };
    let mut index = 0;
    while index < aliases.len() {
        if is(key, &aliases[index]) {
            return true;
        }
        index += 1;
    }
    false
}

/// Returns a name for the message; generated shapes only have static names.
pub(super) const fn text(name: &Text) -> &'static str {
    match name.as_static() {
        Some(name) => name,
        None => "",
    }
}

const fn is(key: &str, text: &Text) -> bool {
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
