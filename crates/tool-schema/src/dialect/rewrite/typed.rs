//! Rewrites schemas without branches and references.

use super::super::inverse_plan::{Plan, PlanMembers};
use super::super::type_keyword::{Types, types};
use super::keyword::about;
use super::schema_builder::SchemaBuilder;
use super::{Rewriter, array, fields, last_of_each_key};
use crate::json::build::{list, member, object, string};
use crate::json::{Json, JsonType, Member, Node};

impl Rewriter<'_> {
    /// Writes a schema without branches and references.
    pub(super) fn write_typed(&mut self, members: &[Member<'static>], schema: &Json<'static>) -> (Json<'static>, Plan) {
        let stated = types(schema);
        let has_type = !stated.is_empty();
        let types = if has_type { stated } else { types_of_values(schema) };
        if self.form.one_type && types.len() != 1 {
            return self.schema(&split(members, &types));
        }
        let mut draft = SchemaBuilder::from_members(Vec::with_capacity(members.len() + 2));
        if self.form.needs_types {
            if types.is_empty() {
                let lists = schema.get("properties").is_some() || schema.get("items").is_some();
                let other = "has no type, so that it accepts any other value too";
                self.lose(if lists { other } else { "accepts any value" });
                return (object([]), Plan::Same);
            } else if !has_type {
                draft.push("type", type_list(&types));
            }
        }
        if self.form.rejects_empty && !self.location.is_root() {
            self.reject_empty(schema, &types);
        }
        let is = |name: JsonType| types.is_empty() || types.contains(&name);
        let is_map = self.form.maps_as_entries && types.contains(&JsonType::Object) && self.is_map(schema);
        if is_map && types.contains(&JsonType::Array) {
            self.lose("is either a map or an array, and both are written as an array");
        }
        let mut group = SchemaBuilder::default();
        let plan = if is_map {
            self.entries(schema, &mut group)
        } else {
            let fields = if is(JsonType::Object) { self.fields(schema, &mut group) } else { PlanMembers::default() };
            let items = if is(JsonType::Array) { self.items(schema, &mut group) } else { Plan::Same };
            Plan::inside(fields, items)
        };
        for entry in &*last_of_each_key(members) {
            let key = &*entry.key;
            match key {
                "type" if is_map => {
                    let entries = |name: &JsonType| if *name == JsonType::Object { JsonType::Array } else { *name };
                    let types: Types = types.iter().map(entries).collect();
                    draft.push("type", type_list(&types));
                }
                _ if fields::OWN.contains(&key) || array::OWN.contains(&key) => {
                    let takes = if fields::OWN.contains(&key) { JsonType::Object } else { JsonType::Array };
                    draft.append(std::mem::take(&mut group));
                    if !is(takes) && !self.form.needs_types {
                        draft.members.push(entry.clone());
                    }
                }
                _ => self.keyword(entry, &types, &mut draft),
            }
        }
        draft.append(group);
        (draft.finish(self.form), plan)
    }

    /// Adds a note about an object or value that the provider rejects because it is empty.
    fn reject_empty(&mut self, schema: &Json<'static>, types: &[JsonType]) {
        if types == [JsonType::Null] {
            self.lose("can only be `null`");
        }
        let lists_none = schema.get("properties").is_none_or(|properties| properties.members().is_empty());
        if types.contains(&JsonType::Object) && lists_none && !self.is_map(schema) {
            self.lose("is an object without properties");
        }
    }
}

/// Writes a schema as a union with a branch for each type; no types stand for all types.
fn split(members: &[Member<'static>], types: &[JsonType]) -> Json<'static> {
    use JsonType::{Array, Boolean, Integer, Null, Number, Object, String};
    let types = if types.is_empty() { &[String, Number, Boolean, Object, Array, Null] } else { types };
    let belongs = |key: &str| match key {
        "type" => Some(&[][..]),
        _ if fields::OWN.contains(&key) => Some(&[Object][..]),
        _ if array::OWN.contains(&key) => Some(&[Array][..]),
        _ => about(key),
    };
    let is_of = |value: &Json<'static>, own: JsonType| {
        let other = value.json_type();
        other == own || other == Integer && own == Number
    };
    let branch = |own: &JsonType| {
        let mut branch = vec![member("type", string(own.name()))];
        for entry in members {
            match &*entry.key {
                "enum" => {
                    let values: Vec<_> =
                        entry.value.items().iter().filter(|value| is_of(value, *own)).cloned().collect();
                    if values.is_empty() {
                        return None;
                    }
                    branch.push(member("enum", list(values)));
                }
                "const" if !is_of(&entry.value, *own) => return None,
                "const" => branch.push(entry.clone()),
                key if belongs(key).is_some_and(|types| types.contains(own)) => branch.push(entry.clone()),
                _ => {}
            }
        }
        Some(object(branch))
    };
    // A number may be an integer, so one branch is enough for both.
    let is_needed = |own: &&JsonType| **own != Integer || !types.contains(&Number);
    let branches = list(types.iter().filter(is_needed).filter_map(branch));
    let rest = members.iter().filter(|entry| belongs(&entry.key).is_none() && !matches!(&*entry.key, "enum" | "const"));
    object(rest.cloned().chain([member("anyOf", branches)]))
}

/// Returns the types of the values that the schema lists.
fn types_of_values(schema: &Json<'static>) -> Types {
    let values = match (schema.get("const"), schema.get("enum")) {
        (Some(value), _) => std::slice::from_ref(value),
        (None, Some(values)) => values.items(),
        (None, None) => &[],
    };
    let mut types = Types::new();
    for value in values {
        let own = value.json_type();
        if !types.contains(&own) {
            types.push(own);
        }
    }
    types
}

fn type_list(types: &[JsonType]) -> Json<'static> {
    let name = |json_type: &JsonType| string(json_type.name());
    match types {
        [only] => name(only),
        _ => Json::from_node(Node::Array(types.iter().map(name).collect())),
    }
}
