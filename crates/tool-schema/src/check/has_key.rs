//! Decides whether an object already has a key, by its name or by an alias.
//!
//! The result limits suggestions: a key is not suggested if it is already used. Flattened types are searched to a bounded depth.

use super::current_place::Entries;
use crate::shape::{Kind, Object, Shape, Text};

/// The maximum depth of flattened types inside each other.
const MOST_FLATTENED: usize = 16;

/// Returns `true` if the object has a key with this exact spelling.
pub(super) fn has(entries: Entries<'_, '_>, name: &str) -> bool {
    entries.iter().any(|member| member.key == *name)
}

/// Returns `true` if the object has a value for this field, or for this field of a flattened type.
pub(super) fn has_field(entries: Entries<'_, '_>, object: &Object, name: &str) -> bool {
    has(entries, name) || has_alias_of_field(entries, object, name, 0)
}

/// Returns `true` if the map has this key, by its name or by an alias.
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
