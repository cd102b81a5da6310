//! Which names of an object are taken: those that it has, under whatever spelling they were given.
//!
//! In comes the name of a field, a variant or a key, and what was sent; out goes whether it is there already, itself or as an alias. What
//! always holds: flattened types are looked into only so deep, and a name that nobody knows is taken only by itself.

use super::place::Entries;
use crate::shape::{Kind, Object, Shape, Text};

/// Flattened types lie within each other only so far.
const MOST_FLATTENED: usize = 16;

/// Whether a key is there, spelt like this.
pub(super) fn has(entries: Entries<'_, '_>, name: &str) -> bool {
    entries.iter().any(|member| member.key == *name)
}

/// Whether a field of an object is there, its own or one of a flattened type.
pub(super) fn has_field(entries: Entries<'_, '_>, object: &Object, name: &str) -> bool {
    has(entries, name) || has_alias_of_field(entries, object, name, 0)
}

/// Whether a key of this shape is there.
pub(super) fn has_key(entries: Entries<'_, '_>, shape: &Shape, name: &str) -> bool {
    has(entries, name) || has_alias(entries, shape, name, 0)
}

fn has_any(entries: Entries<'_, '_>, aliases: &[Text]) -> bool {
    aliases.iter().any(|alias| has(entries, alias))
}

fn has_alias_of_field(entries: Entries<'_, '_>, object: &Object, name: &str, depth: usize) -> bool {
    object.fields.iter().any(|field| {
        if field.flatten {
            has_alias(entries, &field.shape.shape(), name, depth + 1)
        } else {
            field.name == *name && has_any(entries, &field.aliases)
        }
    })
}

fn has_alias(entries: Entries<'_, '_>, shape: &Shape, name: &str, depth: usize) -> bool {
    if depth > MOST_FLATTENED {
        return false;
    }
    match &shape.kind {
        Kind::Alias(inner) | Kind::Nullable(inner) => has_alias(entries, &inner.shape(), name, depth + 1),
        Kind::Object(object) => has_alias_of_field(entries, object, name, depth),
        Kind::Union(union) => union.find(name).is_some_and(|variant| has_any(entries, &variant.aliases)),
        _ => false,
    }
}
