//! Renders objects: fields become properties, including those of flattened types.
//!
//! This module also renders shapes whose keys are part of another object (a flattened field, the payload beside an internal tag).
//! Properties are in declaration order. Invariant: a flattened type does not reject unknown keys itself, because only the whole object
//! knows all keys; an object with branches is closed by `unevaluatedProperties`, which takes the branches into account.

use std::borrow::Cow;
use std::collections::HashSet;

use super::draft::{Draft, cow, text};
use super::from_shape::{ABSENT_IS_NULL, SchemaRenderer};
use crate::json::build::{boolean, list, member, object};
use crate::json::{Json, Member, Node};
use crate::shape::{Field, Kind, Object, Shape, Text, UnknownKeys};

/// The keys of an object while they are collected.
#[derive(Default)]
pub(super) struct Keys {
    properties: Vec<Member<'static>>,
    names: HashSet<Cow<'static, str>>,
    required: Vec<Json<'static>>,
    /// Schemas that apply in addition to the properties: flattened unions.
    branches: Vec<Json<'static>>,
    /// The schema for the values of all other keys.
    rest: Option<Json<'static>>,
    /// The schema for all other keys themselves.
    other_names: Option<Json<'static>>,
    /// `true` if unlisted keys are passed to the tool.
    is_open: bool,
    /// `true` if the schema marks objects that pass unlisted keys to the tool.
    marks: bool,
}

impl Keys {
    pub(super) fn new(renderer: &SchemaRenderer) -> Self {
        Self { marks: renderer.marks, ..Self::default() }
    }

    /// Adds a key. If two fields have the same key, only the first is added, because serde passes the value to the first.
    pub(super) fn add(&mut self, key: &Text, schema: Json<'static>, required: bool) {
        if !self.names.insert(cow(key)) {
            return;
        }
        self.properties.push(member(cow(key), schema));
        if required {
            self.required.push(text(key));
        }
    }

    /// Returns the schema of an object with these keys.
    pub(super) fn finish(self, unknown: UnknownKeys) -> Draft {
        // The keys of branches are not known here, so the names of other keys cannot be restricted.
        let property_names = self.other_names.filter(|_| self.branches.is_empty()).map(|others| {
            let own = list(self.properties.iter().map(|property| Json::from_node(Node::String(property.key.clone()))));
            let own = Draft::default().with("enum", own).finish();
            Draft::default().with("anyOf", list([own, others])).finish()
        });
        let mut draft = Draft::for_type("object").with("properties", object(self.properties));
        if let Some(names) = property_names {
            draft.set("propertyNames", names);
        }
        if !self.required.is_empty() {
            draft.set("required", list(self.required));
        }
        let others = if self.branches.is_empty() { "additionalProperties" } else { "unevaluatedProperties" };
        match self.rest {
            Some(rest) if rest.members().is_empty() && !self.marks => {}
            None if self.is_open && self.marks => draft.set(others, boolean(true)),
            Some(rest) => draft.set(others, rest),
            None if unknown == UnknownKeys::Rejected => draft.set(others, boolean(false)),
            None => {}
        }
        match <[Json<'static>; 1]>::try_from(self.branches) {
            Ok([branches]) if branches.members().len() == 1 && branches.get("anyOf").is_some() => {
                // A single union is added without `allOf`, because more providers support `anyOf`.
                if let Node::Object(keywords) = branches.node {
                    for any_of in keywords {
                        draft.set(any_of.key, any_of.value);
                    }
                }
            }
            Ok(only) => draft.set("allOf", list(only)),
            Err(branches) if branches.is_empty() => {}
            Err(branches) => draft.set("allOf", list(branches)),
        }
        draft
    }
}

impl SchemaRenderer {
    pub(super) fn object(&mut self, shape: &Object) -> Draft {
        let mut keys = Keys::new(self);
        self.fields(shape, false, &mut keys);
        keys.finish(shape.unknown)
    }

    /// Adds the fields of an object; the fields of an optional object are not required.
    fn fields(&mut self, shape: &Object, optional: bool, keys: &mut Keys) {
        for field in shape.fields.iter().filter(|field| !field.hidden) {
            if field.flatten {
                self.keys_of(&field.shape.shape(), optional, keys);
            } else {
                let property = self.property(field);
                keys.add(&field.name, property, field.is_required() && !optional);
            }
        }
    }

    /// Adds the keys of a shape that are part of the current object.
    pub(super) fn keys_of(&mut self, shape: &Shape, optional: bool, keys: &mut Keys) {
        if !self.has_room() {
            // The keys of this shape are not rendered, so unlisted keys must not be rejected.
            keys.rest = Some(Draft::default().finish());
            return;
        }
        self.descend(2);
        match &shape.kind {
            Kind::Object(object) => self.fields(object, optional, keys),
            Kind::Alias(inner) => self.keys_of(&inner.shape(), optional, keys),
            // serde treats a flattened `Option` as absent if it does not decode.
            Kind::Nullable(inner) => self.keys_of(&inner.shape(), true, keys),
            Kind::Map { keys: names, values } => {
                keys.rest = Some(self.below(1, values).finish());
                keys.other_names = self.keys(names).filter(|_| !optional);
            }
            Kind::Any => keys.rest = Some(Draft::default().finish()),
            // An optional shape with branches rejects nothing: if no branch fits, serde treats it as absent.
            Kind::Union(_) | Kind::Foreign(_) if optional => keys.is_open = true,
            Kind::Union(union) => keys.branches.push(self.union(union, true).finish()),
            Kind::Foreign(schema) => {
                let mut foreign = self.foreign(&schema());
                if foreign.get("additionalProperties").and_then(Json::as_bool) == Some(false) {
                    foreign.take("additionalProperties");
                }
                keys.branches.push(foreign.finish());
            }
            // `()` has no keys; other shapes cannot be flattened.
            _ => {}
        }
        self.ascend(2);
    }

    /// Returns the schema of a field's value, with the field's documentation.
    fn property(&mut self, field: &Field) -> Json<'static> {
        let mut draft = self.below(2, &field.shape);
        draft.describe(&field.doc);
        draft.restrict(&field.rules);
        if let Some(default) = field.default.as_ref().and_then(parse_literal) {
            draft.set("default", default);
        }
        if let Some(example) = field.example.as_ref().and_then(parse_literal) {
            draft.set("examples", list([example]));
        }
        if field.deprecated {
            draft.set("deprecated", boolean(true));
        }
        if self.marks && absent_is_null(field) {
            draft.set(ABSENT_IS_NULL, boolean(true));
        }
        draft.finish()
    }
}

/// Returns `true` if serde decodes an absent field like `null`. The result is `false` for an alias, because the type behind it may have its
/// own default, which is not known here.
fn absent_is_null(field: &Field) -> bool {
    let is_option = || {
        matches!(field.shape.shape().kind, Kind::Nullable(_)) || field.optional.is_some_and(|is_optional| is_optional())
    };
    let has_default = field.default.is_some() || field.has_computed_default;
    !field.distinct_null && !has_default && !field.is_required() && is_option()
}

/// Parses a value that the author wrote as JSON text.
fn parse_literal(value: &Text) -> Option<Json<'static>> {
    Json::parse(value).ok().map(Json::into_owned)
}
