//! Looks up the field of a key, and makes the lists of names that issues show.
//!
//! A key is compared with each name if there are few, and hashed if there are many, so that checking a wide object is linear in its size.
//! Each list is made once for each object or union of the shape and shared by all issues about it.

use std::collections::HashMap;

use super::{Checker, address};
use crate::shape::{Field, Kind, Object, Ref, Shape, SharedSlice, Tagging, Text, Union};

/// A lookup that finds the field of an object by any key that the field accepts.
pub(crate) enum Names<'f> {
    Few(&'f [Field]),
    Many(HashMap<&'f str, usize>),
}

/// The number of fields up to which comparing is faster than hashing.
const FEW: usize = 12;

impl<'f> Names<'f> {
    /// Creates the lookup for an object with this number of members.
    pub(crate) fn new(fields: &'f [Field], members: usize) -> Self {
        if fields.len() <= FEW && fields.iter().all(|field| field.aliases.len() <= 2) || members <= 2 {
            return Self::Few(fields);
        }
        let mut names = HashMap::with_capacity(fields.len());
        for (index, field) in fields.iter().enumerate().filter(|(_, field)| !field.flatten) {
            for name in std::iter::once(&field.name).chain(&field.aliases) {
                names.entry(name.as_str()).or_insert(index);
            }
        }
        Self::Many(names)
    }

    /// Returns the index of the field that accepts a key.
    pub(crate) fn find(&self, key: &str) -> Option<usize> {
        self.find_likely(key, 0)
    }

    /// Returns the index of the field that accepts a key; tries the likely index first.
    #[inline]
    pub(super) fn find_likely(&self, key: &str, likely: usize) -> Option<usize> {
        let accepts = |field: &Field| field.has_key(key);
        match self {
            Self::Few(fields) if fields.get(likely).is_some_and(accepts) => Some(likely),
            Self::Few(fields) => fields.iter().position(accepts),
            Self::Many(names) => names.get(key).copied(),
        }
    }
}

impl Checker<'_, '_> {
    /// Returns the names of all fields, including those of flattened types.
    pub(super) fn field_names(&mut self, object: &Object) -> SharedSlice<Text> {
        self.names.get_or_insert_with(address(object), || {
            let mut names = Vec::with_capacity(object.fields.len());
            collect(object, &mut names, 0);
            names.into()
        })
    }

    /// Returns the names that a tag may have.
    pub(super) fn variant_names(&mut self, union: &Union) -> SharedSlice<Text> {
        self.names.get_or_insert_with(address(union), || union.names().into())
    }

    /// Returns the shape of a tag: one of the names of the variants.
    pub(super) fn tag_shape(&mut self, union: &Union) -> Ref {
        self.tags.get_or_insert_with(address(union), || union.tag_shape())
    }
}

/// The maximum depth of flattened types inside each other.
const MOST_FLATTENED: usize = 16;

fn collect(object: &Object, names: &mut Vec<Text>, depth: usize) {
    for field in object.fields.iter().filter(|field| !field.hidden) {
        if field.flatten {
            collect_flattened(&field.shape.shape(), names, depth + 1);
        } else {
            names.push(field.name.clone());
        }
    }
}

fn collect_flattened(shape: &Shape, names: &mut Vec<Text>, depth: usize) {
    if depth > MOST_FLATTENED {
        return;
    }
    match &shape.kind {
        Kind::Alias(inner) | Kind::Nullable(inner) => collect_flattened(&inner.shape(), names, depth + 1),
        Kind::Object(object) => collect(object, names, depth),
        Kind::Union(union) => match &union.tagging {
            Tagging::External => names.extend(union.names()),
            Tagging::Internal { tag } => names.push(tag.clone()),
            Tagging::Adjacent { tag, content } => names.extend([tag.clone(), content.clone()]),
            Tagging::Untagged => {}
        },
        _ => {}
    }
}
