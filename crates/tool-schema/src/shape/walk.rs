//! Walks over a shape: over its direct parts, over every shape that can be reached from it (each named shape once), or over the names of its
//! properties.
//!
//! Invariant: a walk ends after at most [`MOST_SHAPES`] shapes, and returns `false` if it has not seen everything.

use std::collections::HashSet;

use super::type_cache::TypeCache;
use super::{Field, Identity, Kind, Ref, Shape, Tagging, Variant};

/// The maximum number of shapes visited in one walk. Only a schema parsed at run time, or an absurdly large type, has more.
const MOST_SHAPES: usize = 10_000;

/// The relation of a shape to one of its parts.
#[derive(Clone, Copy)]
pub enum Part<'s> {
    /// The inner shape of an alias or of a nullable shape. It describes the same value as the outer shape.
    Same,
    /// Each item of an array.
    Item,
    /// One position of a tuple.
    Position(usize),
    /// Each value of a map.
    Value,
    /// A field of an object.
    Field(&'s Field),
    /// The payload of a variant.
    Payload(&'s Variant),
}

impl Shape {
    /// Calls `show` for each edge to a part of this shape, in declaration order. Keys of maps are left out, because they are plain strings.
    pub(crate) fn for_each_part(&self, mut show: impl FnMut(Part<'_>, &Ref)) {
        match &self.kind {
            Kind::Nullable(inner) | Kind::Alias(inner) => show(Part::Same, inner),
            Kind::Array(items) => show(Part::Item, items),
            Kind::Tuple(positions) => {
                positions.iter().enumerate().for_each(|(index, edge)| show(Part::Position(index), edge));
            }
            Kind::Map { values, .. } => show(Part::Value, values),
            Kind::Object(object) => object.fields.iter().for_each(|field| show(Part::Field(field), &field.shape)),
            Kind::Union(union) => {
                for variant in &union.variants {
                    variant.payload.iter().for_each(|payload| show(Part::Payload(variant), payload));
                }
            }
            _ => {}
        }
    }

    /// Visits every shape that has parts and can be reached from this one. The walk stops early if `visit` returns `false`. Returns `false`
    /// if there are too many shapes to visit.
    pub(crate) fn walk(&self, mut visit: impl FnMut(&Ref, &Shape) -> bool) -> bool {
        let (mut open, mut seen, mut left) = (Vec::new(), HashSet::new(), MOST_SHAPES);
        let expand = |shape: &Shape, open: &mut Vec<Ref>| {
            shape.for_each_part(|_, edge| {
                if !edge.shape().is_leaf() {
                    open.push(edge.clone());
                }
            });
        };
        expand(self, &mut open);
        while let Some(edge) = open.pop() {
            let shape = edge.shape();
            if shape.identity.is_some_and(|identity| !seen.insert(identity)) {
                continue;
            }
            if left == 0 {
                return false;
            }
            left -= 1;
            if !visit(&edge, &shape) {
                return true;
            }
            expand(&shape, &mut open);
        }
        true
    }

    /// Returns `true` if the shape has no parts.
    fn is_leaf(&self) -> bool {
        match &self.kind {
            Kind::Object(object) => object.fields.is_empty(),
            Kind::Union(union) => union.variants.iter().all(|variant| variant.payload.is_none()),
            Kind::Nullable(_) | Kind::Alias(_) | Kind::Array(_) | Kind::Tuple(_) | Kind::Map { .. } => false,
            Kind::Any
            | Kind::Foreign(_)
            | Kind::Null
            | Kind::Boolean
            | Kind::Integer
            | Kind::Number(_)
            | Kind::String => true,
        }
    }

    /// Returns `true` if a value of the shape may contain a secret: some field of it is sensitive, however deep, or there are too many
    /// shapes to search.
    ///
    /// The result is cached for each Rust type, because every rejected call needs it.
    pub(crate) fn has_secrets(&self) -> bool {
        static VERDICTS: TypeCache = TypeCache::new();

        match self.identity {
            Some(Identity::Type(id)) => VERDICTS.verdict(id(), || self.reaches_secrets()),
            _ => self.reaches_secrets(),
        }
    }

    fn reaches_secrets(&self) -> bool {
        let mut found = self.has_sensitive_field();
        let is_seen = found
            || self.walk(|_, shape| {
                found |= shape.has_sensitive_field();
                !found
            });
        found || !is_seen
    }

    fn has_sensitive_field(&self) -> bool {
        matches!(&self.kind, Kind::Object(object) if object.fields.iter().any(|field| field.sensitive))
    }
}

/// The maximum number of edges that [`Shape::lists`] follows.
const MOST_EDGES: usize = 32;

impl Shape {
    /// Returns `true` if an object of this shape has a property with this name or alias. Maps and unknown shapes have all names.
    pub(crate) fn lists(&self, key: &str) -> bool {
        self.lists_within(key, MOST_EDGES)
    }

    fn lists_within(&self, key: &str, edges: usize) -> bool {
        let Some(edges) = edges.checked_sub(1) else { return true };
        match &self.kind {
            Kind::Alias(inner) | Kind::Nullable(inner) => inner.shape().lists_within(key, edges),
            Kind::Object(object) => object.fields.iter().any(|field| {
                if field.flatten { field.shape.shape().lists_within(key, edges) } else { field.has_key(key) }
            }),
            Kind::Union(union) => {
                let in_payload = |variant: &Variant| {
                    variant.payload.as_ref().is_some_and(|payload| payload.shape().lists_within(key, edges))
                };
                match &union.tagging {
                    Tagging::External => union.find(key).is_some(),
                    Tagging::Adjacent { tag, content } => tag == key || content == key,
                    Tagging::Internal { tag } => tag == key || union.variants.iter().any(in_payload),
                    Tagging::Untagged => union.variants.iter().any(in_payload),
                }
            }
            Kind::Any | Kind::Foreign(_) | Kind::Map { .. } => true,
            _ => false,
        }
    }
}
