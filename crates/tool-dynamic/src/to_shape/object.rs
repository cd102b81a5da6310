//! Objects: properties become fields, in order.
//!
//! An object without known keys becomes a map.
//!
//! Invariants: an object is closed only if the schema rejects every key that is not a field. Keys that match `patternProperties` are left
//! to the validator.

use std::collections::{HashMap, HashSet};

use crate::private::check::accepts;
use crate::private::shape::{Field, Kind, Measure, Object, Ref, Shape, Text, UnknownKeys, is_enumeration, plain_field};
use tool_runtime::tool_schema::json::{Json, Node};

use super::applicable_schemas::Parts;
use super::document::At;
use super::scalar::length;
use super::{Reader, is_false, shape_with};

impl<'d> Reader<'d> {
    pub(super) fn object(&mut self, parts: &Parts<'d>) -> Shape {
        let properties = self.properties(parts);
        let rules = length(parts, Measure::Properties).into_iter().collect();
        let is_closed = parts.each("additionalProperties").any(|(at, rest)| {
            is_false(rest) && at.schema.get("patternProperties").is_none_or(|patterns| patterns.members().is_empty())
        });
        let rest = self.rest(parts);
        let required = required(parts);
        if properties.is_empty() && required.is_empty() && !is_closed {
            let keys = self.keys(parts);
            let values = rest.map_or(Ref::Static(Shape::ANY), |rest| self.edge(&[rest]));
            return shape_with(Kind::Map { keys, values }, rules);
        }
        let mut fields: Vec<Field> =
            properties.into_iter().map(|(name, schemas)| self.field(name, &schemas, &required)).collect();
        let known: HashSet<_> = fields.iter().map(|field| field.name.to_string()).collect();
        for &name in required.keys_in_order().iter().filter(|name| !known.contains(**name)) {
            let shape = rest.as_ref().map_or(Ref::Static(Shape::ANY), |rest| self.edge(std::slice::from_ref(rest)));
            fields.push(plain_field(name.to_owned().into(), Text::EMPTY, shape, true));
        }
        if let (Some(rest), false) = (&rest, is_closed) {
            let values = self.edge(std::slice::from_ref(rest));
            let others = Shape::new(Kind::Map { keys: Ref::Static(&KEY), values });
            let others = plain_field(Text::from_static("others"), Text::EMPTY, Ref::Shared(others.into()), false);
            fields.push(Field { flatten: true, ..others });
        }
        let unknown = if is_closed { UnknownKeys::Rejected } else { UnknownKeys::Ignored };
        shape_with(Kind::Object(Object { fields: fields.into(), unknown }), rules)
    }

    /// Returns each property with its schemas from all parts, in the order in which properties first appear. A property with the schema
    /// `false` is left out.
    fn properties(&self, parts: &Parts<'d>) -> Vec<(&'d str, Vec<At<'d>>)> {
        let mut found: Vec<(&'d str, Vec<At<'d>>)> = Vec::new();
        let mut places: HashMap<&'d str, usize> = HashMap::new();
        for (at, properties) in parts.each("properties") {
            for member in properties.members().iter().filter(|member| !is_false(&member.value)) {
                let schema = self.document.below(at, "properties", Some(&member.key), &member.value);
                let place = *places.entry(&member.key).or_insert_with(|| {
                    found.push((&member.key, Vec::new()));
                    found.len() - 1
                });
                found[place].1.push(schema);
            }
        }
        found
    }

    fn field(&mut self, name: &str, schemas: &[At<'d>], required: &Required<'_>) -> Field {
        let shape = self.edge(schemas);
        let doc = shape.shape().doc.clone();
        let mut field = plain_field(name.to_owned().into(), doc, shape, required.0.contains_key(name));
        let said = |keyword: &str| schemas.iter().find_map(|at| at.schema.get(keyword));
        field.deprecated = said("deprecated").and_then(Json::as_bool) == Some(true);
        let accepted = |value: &Json<'_>| accepts(&field.shape.shape(), value).then(|| Text::from(value.to_text()));
        // A default of `null` counts as no default.
        field.default = said("default").filter(|value| !value.is_null()).and_then(accepted);
        let examples = said("examples").map(Json::items).into_iter().flatten();
        field.example = examples.chain(said("example")).find_map(accepted);
        field
    }

    /// Returns the schema for unlisted keys, if exactly one part has such a schema and no part has `patternProperties`.
    fn rest(&self, parts: &Parts<'d>) -> Option<At<'d>> {
        if parts.has("patternProperties") {
            return None;
        }
        let mut rest = parts.each("additionalProperties").filter(|(_, rest)| !rest.members().is_empty());
        let (at, schema) = rest.next()?;
        let lists_all = parts.each("properties").all(|(other, _)| other.pointer == at.pointer);
        (rest.next().is_none() && lists_all).then(|| self.document.below(at, "additionalProperties", None, schema))
    }

    /// Returns the shape of the keys of a map, which `propertyNames` may restrict.
    fn keys(&mut self, parts: &Parts<'d>) -> Ref {
        let Some((at, names)) = parts.each("propertyNames").find(|(_, names)| matches!(names.node, Node::Object(_)))
        else {
            return Ref::Static(&KEY);
        };
        let names = self.document.below(at, "propertyNames", None, names);
        let shape = self.shape(&[names], super::TypeSet::STRING);
        let is_string = |shape: &Shape| match &shape.kind {
            Kind::String => true,
            Kind::Union(union) => is_enumeration(union),
            _ => false,
        };
        if is_string(&shape) { Ref::Shared(shape.into()) } else { Ref::Static(&KEY) }
    }
}

static KEY: Shape = Shape::new(Kind::String);

/// The required keys, each with its position in `required`.
struct Required<'d>(HashMap<&'d str, usize>);

impl<'d> Required<'d> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn keys_in_order(&self) -> Vec<&'d str> {
        let mut keys: Vec<_> = self.0.iter().map(|(key, place)| (*place, *key)).collect();
        keys.sort_unstable();
        keys.into_iter().map(|(_, key)| key).collect()
    }
}

fn required<'d>(parts: &Parts<'d>) -> Required<'d> {
    let mut keys = HashMap::new();
    for name in parts.each("required").flat_map(|(_, names)| names.items()).filter_map(Json::as_str) {
        let place = keys.len();
        keys.entry(name).or_insert(place);
    }
    Required(keys)
}
