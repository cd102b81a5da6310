//! Checks the types of arguments for mistakes that the compiler cannot detect: [`Inspector`].
//!
//! It reports defaults and examples that their field rejects, flattened fields that lose keys, untagged variants that may be mistaken for
//! each other, and values that serde cannot decode from its buffer.
//!
//! Invariants: each type is inspected once per toolbox. A pattern is compiled only for fields with a default or an example. The work per
//! tool is bounded.

use std::collections::HashSet;

use super::RegistrationError;
use crate::check::check;
use crate::json::Json;
use crate::shape::apart::{FlattenConflict, late};
use crate::shape::buffered::{UnbufferableType, buffers, unreadable_itself};
use crate::shape::{Field, Identity, Kind, Object, Part, Ref, Shape, Tagging, Text, Union, for_each_part};
use crate::tool::ToolSpec;

/// The maximum number of shapes that are inspected per tool. Further shapes are ignored.
const MOST_PLACES: usize = 10_000;

/// The maximum number of types without keys around an `Option`, such as `Box`.
const MOST_ALIASES: usize = 16;

/// The types that were already inspected.
#[derive(Default)]
pub(super) struct Inspector {
    seen: HashSet<Identity>,
}

/// A shape, and the path to it.
struct Place {
    edge: Ref,
    /// The index of the shape that contains this one.
    parent: usize,
    /// The last segment of the path; empty if this shape describes the same value as its parent.
    name: Text,
}

impl Inspector {
    /// Reports the problems of the arguments of one tool.
    pub(super) fn inspect(&mut self, tool: &str, spec: &ToolSpec, errors: &mut Vec<RegistrationError>) {
        // A schema that was declared at run time was checked when it was parsed, and serde's rules do not apply to it.
        if spec.declared_schema.is_some() {
            return;
        }
        let mut places = vec![Place { edge: spec.input.clone(), parent: 0, name: Text::EMPTY }];
        let mut index = 0;
        while let Some(Place { edge, .. }) = places.get(index) {
            let edge = edge.clone();
            let shape = edge.shape();
            if shape.identity.is_none_or(|identity| self.seen.insert(identity)) {
                // For the parameters of the tool itself, `spec.verify` decodes the literals and also checks the typed values.
                let literals = index > 0 || spec.verify.is_none();
                Finding { tool, places: &places, index, errors }.judge(&shape, literals);
                if places.len() < MOST_PLACES {
                    for_each_part(&shape, |part, edge| {
                        places.push(Place { edge: edge.clone(), parent: index, name: name(part) });
                    });
                }
            }
            index += 1;
        }
    }
}

fn name(part: Part<'_>) -> Text {
    match part {
        Part::Same => Text::EMPTY,
        Part::Item => Text::from_static("[]"),
        Part::Position(index) => format!("[{index}]").into(),
        Part::Value => Text::from_static("*"),
        Part::Field(field) if field.flatten => Text::EMPTY,
        Part::Field(field) => field.name.clone(),
        Part::Payload(variant) => variant.name.clone(),
    }
}

/// The inspection of one shape.
struct Finding<'f> {
    tool: &'f str,
    places: &'f [Place],
    index: usize,
    errors: &'f mut Vec<RegistrationError>,
}

impl Finding<'_> {
    fn judge(&mut self, shape: &Shape, literals: bool) {
        match &shape.kind {
            Kind::Object(object) => {
                if literals {
                    object.fields.iter().for_each(|field| self.literals(field));
                }
                self.flattened(object);
                self.nulls(object);
                for field in object.fields.iter().filter(|field| field.flatten) {
                    self.buffered(&field.shape, self.path(&field.name));
                }
            }
            Kind::Union(union) => {
                self.variants(union);
                if buffers(shape, union) {
                    for variant in &union.variants {
                        variant.payload.iter().for_each(|payload| self.buffered(payload, self.path(&variant.name)));
                    }
                }
            }
            _ => {}
        }
    }

    fn literals(&mut self, field: &Field) {
        for (what, literal) in [("default", &field.default), ("example", &field.example)] {
            let Some(error) = literal.as_ref().and_then(|literal| error(field, literal)) else { continue };
            let error = format!("the {what} of {}: {error}", self.path(&field.name));
            self.errors.push(RegistrationError::Literal { tool: self.tool.to_owned(), reason: error });
        }
    }

    /// Reports fields whose type tells `null` from an absent key, although serde gives both the same value.
    fn nulls(&mut self, object: &Object) {
        let loses_null = |field: &&Field| {
            !field.distinct_null && nullable(&field.shape).is_some_and(|inner| nullable(&inner).is_some())
        };
        for field in object.fields.iter().filter(loses_null) {
            self.errors.push(RegistrationError::LostNull { tool: self.tool.to_owned(), field: self.path(&field.name) });
        }
    }

    fn flattened(&mut self, object: &Object) {
        for (index, field) in object.fields.iter().enumerate().filter(|(_, field)| field.flatten) {
            let Some(clash) = late::clash(object, index) else { continue };
            let (tool, field) = (self.tool.to_owned(), self.path(&field.name));
            self.errors.push(match clash {
                FlattenConflict::ClosedMap => RegistrationError::ClosedMap { tool, field },
                FlattenConflict::NoKeys => RegistrationError::FlattenWithoutKeys { tool, field },
                FlattenConflict::SharedKey(other) => {
                    RegistrationError::DuplicateKey { tool, field, other: self.path(&object.fields[other].name) }
                }
            });
        }
    }

    fn variants(&mut self, union: &Union) {
        for (index, variant) in union.variants.iter().enumerate() {
            let beside_tag = matches!(union.tagging, Tagging::Internal { .. }) && !variant.untagged;
            if beside_tag && late::is_keyless(union, index) {
                let field = self.path(&variant.name);
                self.errors.push(RegistrationError::FlattenWithoutKeys { tool: self.tool.to_owned(), field });
            }
            if (variant.untagged || union.tagging == Tagging::Untagged)
                && let Some(other) = late::mistaken(union, index)
            {
                self.errors.push(RegistrationError::AmbiguousVariant {
                    tool: self.tool.to_owned(),
                    variant: self.path(&variant.name),
                    other: self.path(&union.variants[other].name),
                });
            }
        }
    }

    /// Reports values that serde cannot decode from the buffer of a type. Shapes that no macro generated are skipped,
    /// because serde does not decode them.
    fn buffered(&mut self, edge: &Ref, path: String) {
        let (mut open, mut seen) = (vec![(edge.clone(), path)], HashSet::new());
        let mut index = 0;
        while let Some((edge, path)) = open.get(index).cloned() {
            index += 1;
            let shape = match edge {
                Ref::Static(shape) => shape,
                Ref::Lazy(shape) => shape(),
                Ref::Shared(_) | Ref::Weak(_) => continue,
            };
            if shape.identity.is_some_and(|identity| !seen.insert(identity)) || open.len() > MOST_PLACES {
                continue;
            }
            if let Some(unreadable) = unreadable_itself(shape) {
                let tool = self.tool.to_owned();
                self.errors.push(RegistrationError::NotBufferable { tool, field: path, reason: instead(unreadable) });
                continue;
            }
            // A type that is buffered itself is inspected separately.
            if matches!(&shape.kind, Kind::Union(union) if buffers(shape, union)) {
                continue;
            }
            for_each_part(shape, |part, edge| {
                if !matches!(part, Part::Field(field) if field.flatten) {
                    open.push((edge.clone(), joined(path.clone(), &name(part))));
                }
            });
        }
    }

    /// Returns the path to the part `last` of this shape, such as `order.items[].quantity`.
    fn path(&self, last: &str) -> String {
        let mut names = vec![last];
        let mut index = self.index;
        // The root is its own parent and has no name.
        while index > 0 {
            names.push(&self.places[index].name);
            index = self.places[index].parent;
        }
        names.iter().rev().fold(String::new(), |path, name| joined(path, name))
    }
}

fn joined(mut path: String, name: &str) -> String {
    if !path.is_empty() && !name.is_empty() && !name.starts_with('[') {
        path.push('.');
    }
    path + name
}

/// Returns what is inside of an `Option`.
fn nullable(edge: &Ref) -> Option<Ref> {
    let mut edge = edge.clone();
    for _ in 0..MOST_ALIASES {
        edge = match &edge.shape().kind {
            Kind::Nullable(inner) => return Some(inner.clone()),
            Kind::Alias(inner) => inner.clone(),
            _ => return None,
        };
    }
    None
}

const fn instead(unreadable: UnbufferableType) -> &'static str {
    match unreadable {
        UnbufferableType::NumberKeys => {
            "in which map keys are strings and never numbers: use `String` keys, or a `Vec` of key and value"
        }
        UnbufferableType::Wide => {
            "which cannot contain integers of 128 bits: use `i64` or `u64`, or a `String` of digits"
        }
    }
}

/// Returns the reason why a field rejects its own default or example, or `None` if it accepts it.
fn error(field: &Field, literal: &str) -> Option<String> {
    let json = match Json::parse(literal) {
        Ok(json) => json,
        Err(error) => return Some(format!("{literal} is not valid JSON: {error}")),
    };
    let value = Shape { rules: field.rules.clone(), ..Shape::new(Kind::Alias(field.shape.clone())) };
    let issues = check(&value, &json);
    let issue = issues.first()?;
    Some(if issue.path.is_root() {
        format!("{literal} {}", issue.constraint)
    } else {
        format!("in {literal}, {issue}")
    })
}
