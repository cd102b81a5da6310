//! Rewrites maps as arrays of entries. A map is an object with arbitrary keys whose values all have the same schema.

use super::super::inverse_plan::Plan;
use super::Rewriter;
use super::schema_builder::SchemaBuilder;
use crate::json::build::{boolean, list, member, object, string};
use crate::json::{Json, JsonType, Member, Node};

/// The keys of an entry that represents a member of a map.
const KEY: &str = "key";
const VALUE: &str = "value";

/// An object's rule for keys that it does not list.
pub(super) enum Others<'s> {
    Any,
    None,
    Values(&'s Json<'static>),
    Patterns,
}

impl<'s> Others<'s> {
    pub(super) fn from_schema(schema: &'s Json<'static>) -> Self {
        if schema.get("patternProperties").is_some_and(|patterns| !patterns.members().is_empty()) {
            return Self::Patterns;
        }
        match schema.get("additionalProperties").or_else(|| schema.get("unevaluatedProperties")) {
            None => Self::Any,
            Some(values) => match &values.node {
                Node::Bool(false) => Self::None,
                Node::Object(keywords) if !keywords.is_empty() => Self::Values(values),
                _ => Self::Any,
            },
        }
    }
}

impl Rewriter<'_> {
    /// Returns `true` if an object lists no keys and accepts any.
    pub(super) fn is_map(&self, schema: &Json<'static>) -> bool {
        let lists_none = ["properties", "required"].iter().all(|keyword| {
            schema.get(keyword).is_none_or(|listed| listed.members().is_empty() && listed.items().is_empty())
        });
        !self.location.is_root() && lists_none && matches!(Others::from_schema(schema), Others::Values(_))
    }

    /// Writes a map as an array with an entry for each key.
    pub(super) fn entries(&mut self, schema: &Json<'static>, group: &mut SchemaBuilder) -> Plan {
        let Others::Values(values) = Others::from_schema(schema) else { return Plan::Same };
        self.is_changed = true;
        let (value, plan) = self.at_step("*", &["additionalProperties"], |rewriter| rewriter.schema(values));
        let mut key = vec![member("type", string("string"))];
        group.say("An entry for each key, and no key twice.");
        if let Some(names) = schema.get("propertyNames") {
            match self.keys_of_entries(names) {
                Some(names) => key = names,
                None => group.say_keyword("propertyNames", names),
            }
        }
        let properties = object([member(KEY, object(key)), member(VALUE, value)]);
        let mut entry = vec![
            member("type", string("object")),
            member("properties", properties),
            member("required", list([string(KEY), string(VALUE)])),
        ];
        if self.form.closes_objects {
            entry.push(member("additionalProperties", boolean(false)));
        }
        if let Some(finish) = self.form.finish {
            entry = finish(entry);
        }
        group.push("items", object(entry));
        let types = [JsonType::Array];
        for (keyword, written) in [("minProperties", "minItems"), ("maxProperties", "maxItems")] {
            if let Some(count) = schema.get(keyword) {
                self.keyword(&member(written, count.clone()), &types, group);
            }
        }
        Plan::Entries(Box::new(plan))
    }

    /// Returns the schema of the keys of a map.
    fn keys_of_entries(&mut self, names: &Json<'static>) -> Option<Vec<Member<'static>>> {
        let simple =
            ["$ref", "anyOf", "oneOf", "allOf", "not", "if"].iter().all(|keyword| names.get(keyword).is_none());
        if !simple || names.members().is_empty() {
            return None;
        }
        let keywords = names.members().iter().filter(|member| member.key != "type").cloned();
        let names = object([member("type", string("string"))].into_iter().chain(keywords));
        match self.schema(&names).0.node {
            Node::Object(members) => Some(members),
            _ => None,
        }
    }
}
