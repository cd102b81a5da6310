//! Walks over a shape: what it is made of, and everything behind it, each named shape once.
//!
//! In comes a shape, which may be recursive; out go its edges, or a visit to each shape that they lead to. What always holds: a walk
//! ends, after [`MOST_SHAPES`] shapes at the latest, and says whether it has seen everything.

use std::collections::HashSet;

use super::remembered::Remembered;
use super::{Field, Identity, Kind, Ref, Shape, Variant};

/// Shapes that one walk looks at. Only a schema read at run time can have more, or a type that nobody could read.
const MOST_SHAPES: usize = 10_000;

/// How a shape holds one that it is made of.
#[derive(Clone, Copy)]
pub enum Part<'s> {
    /// The very value, under another name or beside `null`.
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
    /// Shows each edge to a shape that this one is made of, in declaration order. Keys of maps are left out: they are plain strings.
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

    /// Visits everything behind the shape that is made of something itself, until the visitor has seen enough; `false` where there was
    /// too much to see it all.
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

    /// Whether the shape is made of no other.
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

    /// Whether a value of the shape may hold a secret: some field of it, however deep, is sensitive. Where nobody can tell, it may.
    ///
    /// Remembered for each Rust type, of which a program has finitely many; every refused call asks.
    pub(crate) fn has_secrets(&self) -> bool {
        static VERDICTS: Remembered = Remembered::new();

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
