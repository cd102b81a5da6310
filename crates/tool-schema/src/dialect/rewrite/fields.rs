//! Rewrites objects: properties, required keys, and rules for other keys.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::super::inverse_plan::{Plan, PlanMembers, Undo};
use super::super::keyword_text::short_json;
use super::super::root::OF_A_BRANCH;
use super::super::rules::References;
use super::map_as_entries::Others;
use super::schema_builder::{SchemaBuilder, describe};
use super::{FEW, Rewriter};
use crate::fast_hash::RandomHashState;
use crate::json::build::{boolean, list, member, object, string};
use crate::json::{Json, Member, Node, Span};
use crate::schema::ABSENT_IS_NULL;

/// The keywords that this file writes.
pub(super) const OWN: [&str; 9] = [
    "properties",
    "required",
    "additionalProperties",
    "unevaluatedProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "propertyOrdering",
];

impl Rewriter<'_> {
    /// Writes the schemas of an object's members.
    pub(super) fn fields(&mut self, schema: &Json<'static>, group: &mut SchemaBuilder) -> PlanMembers {
        let others = Others::from_schema(schema);
        let properties = schema.get("properties").map_or(&[][..], Json::members);
        let properties = super::last_of_each_key(properties);
        let required = schema.get("required").map_or(&[][..], Json::items);
        let names = required.iter().filter_map(Json::as_str);
        let many = (required.len() > FEW).then(|| names_of(names.clone(), required.len()));
        let is_required = |key: &str| match &many {
            Some(many) => many.contains(key),
            None => names.clone().any(|name| name == key),
        };
        self.close(&others, schema, &properties);
        let mut renamed = self.new_spellings(&properties);
        let mut listed = 0;
        let mut members = PlanMembers::default();
        let (mut written, mut still_required) = (Vec::with_capacity(properties.len()), Vec::new());
        for (index, property) in properties.iter().enumerate() {
            let is_required = is_required(&property.key);
            listed += usize::from(is_required);
            let name = renamed.get_mut(index).and_then(Option::take);
            let (value, undo) = self.at_step(&property.key, &["properties", &property.key], |rewriter| {
                rewriter.property(property, is_required, name.as_deref())
            });
            let key = name.map_or_else(|| property.key.clone(), Cow::Owned);
            if is_required && !self.leads_back(&property.value) || self.form.requires_all {
                still_required.push(Json::from_node(Node::String(key.clone())));
            }
            if let Some(own) = &undo.own_key {
                members.renamed.insert(own.clone(), Box::from(&*key));
            }
            if undo.own_key.is_some() || undo.null_is_absent || undo.value != Plan::Same {
                members.by_key.insert(Box::from(&*key), undo);
            }
            written.push(Member { key, key_span: Span::default(), value });
        }
        if self.form.closes_objects && listed < required.len() {
            self.lose_unlisted(schema, &properties);
        }
        let has_properties = schema.get("properties").is_some();
        let is_renamed = names_changed(&properties, &written);
        if has_properties || self.form.closes_objects {
            group.push("properties", object(written));
        }
        if !still_required.is_empty() || self.form.requires_all {
            group.push("required", list(still_required));
        }
        members.rest = self.others(&others, schema, group);
        self.bounds(schema, is_renamed, group);
        members
    }

    /// Adds notes about constraints that are lost when an object is closed.
    fn close(&mut self, others: &Others<'_>, schema: &Json<'static>, properties: &[Member<'static>]) {
        if !self.form.closes_objects {
            return;
        }
        let says_nothing =
            ["additionalProperties", "unevaluatedProperties"].iter().all(|key| schema.get(key).is_none());
        match others {
            Others::None => {}
            Others::Any if self.is_marked && says_nothing => {}
            Others::Any if properties.is_empty() => self.lose("accepts any keys"),
            Others::Any => self.lose("accepts keys that it does not list"),
            Others::Values(_) if properties.is_empty() => self.lose("are a map, and must be an object"),
            Others::Values(_) => self.lose("accepts other keys beside those that it lists"),
            Others::Patterns => self.lose("has keys that match a pattern"),
        }
    }

    /// Adds a note about a key that is required but not listed.
    fn lose_unlisted(&mut self, schema: &Json<'static>, properties: &[Member<'static>]) {
        let listed = names_of(properties.iter().map(|property| &*property.key), properties.len());
        let required = schema.get("required").map_or(&[][..], Json::items).iter().filter_map(Json::as_str);
        if let Some(key) = required.into_iter().find(|key| !listed.contains(key)) {
            self.lose(format!("requires {}, which it does not list", short_json(&string(key))));
        }
    }

    /// Returns the new spelling of each key that the provider does not accept; empty if it accepts all keys.
    fn new_spellings(&self, properties: &[Member<'static>]) -> Vec<Option<String>> {
        let Some(rule) = self.form.keys.filter(|_| self.renames_below || self.location.is_root()) else {
            return Vec::new();
        };
        if properties.iter().all(|property| rule.accepts(&property.key)) {
            return Vec::new();
        }
        let mut taken: HashSet<String, RandomHashState> = HashSet::default();
        taken.extend(
            properties.iter().filter(|property| rule.accepts(&property.key)).map(|property| property.key.to_string()),
        );
        let mut numbers: HashMap<String, usize, RandomHashState> = HashMap::default();
        let rename = |property: &Member<'static>| {
            if rule.accepts(&property.key) {
                return None;
            }
            let name = rule.respelt(&property.key);
            let number = numbers.entry(name.clone()).or_insert(1);
            let mut free = name.clone();
            while !taken.insert(free.clone()) {
                *number += 1;
                free = format!("{name}_{number}");
            }
            Some(free)
        };
        properties.iter().map(rename).collect()
    }

    fn property(&mut self, property: &Member<'static>, is_required: bool, name: Option<&str>) -> (Json<'static>, Undo) {
        let (mut value, plan) = self.schema(&property.value);
        let mut undo = Undo { own_key: None, null_is_absent: false, value: plan };
        if self.form.requires_all && !is_required {
            let mark = property.value.get(ABSENT_IS_NULL).filter(|_| self.is_typed);
            if mark.is_some_and(|mark| mark.as_bool() == Some(true)) {
                // A `null` is not removed from the arguments, because the tool treats it like an absent key.
            } else if mark.is_some_and(|mark| mark.as_str() == Some(OF_A_BRANCH)) {
                // The value may belong to a variant without this key.
                undo.null_is_absent = true;
                self.is_changed = true;
            } else if self.document.may_be_null(&property.value) && self.null_is_absent {
                undo.null_is_absent = true;
                self.is_changed = true;
            } else if self.document.may_be_null(&property.value) {
                self.lose("is optional and may be `null`, which would be the same");
            } else {
                value = or_null(value);
                undo.null_is_absent = true;
                self.is_changed = true;
            }
        }
        if self.leads_back(&property.value) && is_required {
            value = self.with_sentence(value, "Required.".to_owned());
        }
        if name.is_some() {
            value = self.with_sentence(value, format!("Named {}.", short_json(&string(&*property.key))));
            undo.own_key = Some(Box::from(&*property.key));
            self.is_changed = true;
        }
        (value, undo)
    }

    /// Returns `true` if a property must stay optional because its value contains the property again.
    fn leads_back(&self, value: &Json<'static>) -> bool {
        self.is_in_circle
            && self.form.references == References::AloneAndOptional
            && self.document.leads_in_a_circle(value)
    }

    /// Writes the schema for the values of keys that are not listed.
    fn others(&mut self, others: &Others<'_>, schema: &Json<'static>, group: &mut SchemaBuilder) -> Option<Plan> {
        if self.form.closes_objects {
            group.push("additionalProperties", boolean(false));
            return None;
        }
        let reads = |keyword: &str| self.form.keywords.is_none_or(|read| read.contains(&keyword));
        let (reads_values, reads_patterns) = (reads("additionalProperties"), reads("patternProperties"));
        let mut plan = None;
        for keyword in ["additionalProperties", "unevaluatedProperties", "patternProperties"] {
            let Some(value) = schema.get(keyword) else { continue };
            let is_read = if keyword == "patternProperties" { reads_patterns } else { reads_values };
            match others {
                Others::Values(values) if keyword != "patternProperties" && is_read => {
                    let (value, undo) =
                        self.at_step("*", &["additionalProperties"], |rewriter| rewriter.schema(values));
                    plan = (undo != Plan::Same).then_some(undo);
                    group.members.push(member(keyword, value));
                }
                _ if is_read || self.form.keeps_unread => {
                    let value = self.verbatim(value);
                    group.members.push(member(keyword, value));
                }
                _ if matches!(value.node, Node::Bool(_)) => {}
                _ => group.say_keyword(keyword, value),
            }
        }
        plan
    }

    /// Writes the constraints on the keys of an object and on their number.
    fn bounds(&mut self, schema: &Json<'static>, is_renamed: bool, group: &mut SchemaBuilder) {
        let types = [crate::json::JsonType::Object];
        for keyword in ["propertyNames", "minProperties", "maxProperties", "propertyOrdering"] {
            match schema.get(keyword) {
                None => {}
                // The constraint applies to the keys of the tool, not to those that the model sees.
                Some(value) if is_renamed && matches!(keyword, "propertyNames" | "propertyOrdering") => {
                    group.say_keyword(keyword, value);
                }
                // This keyword is left out, because every key is listed and `null` represents an absent one.
                Some(_) if self.form.requires_all && keyword == "propertyOrdering" => {}
                Some(value) => self.keyword(&member(keyword, value.clone()), &types, group),
            }
        }
    }
}

impl Rewriter<'_> {
    /// Returns the schema with one more sentence in its description.
    fn with_sentence(&self, schema: Json<'static>, sentence: String) -> Json<'static> {
        let Node::Object(mut members) = schema.node else { return schema };
        let is_alone = self.form.references != References::WithSiblings;
        if is_alone && members.iter().any(|member| member.key == "$ref") {
            members = vec![member("anyOf", list([object(members)]))];
        }
        describe(&mut members, sentence);
        object(members)
    }
}

fn names_changed(properties: &[Member<'static>], written: &[Member<'static>]) -> bool {
    properties.iter().zip(written).any(|(property, written)| property.key != written.key)
}

fn names_of<'n>(names: impl Iterator<Item = &'n str>, count: usize) -> HashSet<&'n str, RandomHashState> {
    let mut all = HashSet::with_capacity_and_hasher(count, RandomHashState::default());
    all.extend(names);
    all
}

/// Returns a schema that also accepts `null`.
fn or_null(schema: Json<'static>) -> Json<'static> {
    let Node::Object(mut members) = schema.node else { return schema };
    if members.iter().any(|member| matches!(&*member.key, "$ref" | "const" | "enum")) {
        return beside_null(members);
    }
    let null = || object([member("type", string("null"))]);
    if let Some(branches) = members.iter_mut().find(|member| member.key == "anyOf") {
        if let Node::Array(branches) = &mut branches.value.node {
            branches.push(null());
        }
        return object(members);
    }
    if let Some(named) = members.iter_mut().find(|member| member.key == "type") {
        let names = match std::mem::replace(&mut named.value.node, Node::Null) {
            Node::Array(names) => names,
            only => vec![Json::from_node(only)],
        };
        named.value = list(names.into_iter().chain([string("null")]));
    }
    object(members)
}

/// Returns a union of the schema and `null`. The description of the schema moves to the union.
fn beside_null(members: Vec<Member<'static>>) -> Json<'static> {
    let (description, own): (Vec<_>, Vec<_>) = members.into_iter().partition(|member| member.key == "description");
    let null = object([member("type", string("null"))]);
    object([member("anyOf", list([object(own), null]))].into_iter().chain(description))
}
