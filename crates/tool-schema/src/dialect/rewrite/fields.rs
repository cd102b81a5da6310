//! Rewrites objects: properties, required keys, and maps.

use std::collections::HashSet;

use super::super::plan::{Members, Plan, Undo};
use super::super::root::OF_A_BRANCH;
use super::super::rules::References;
use super::super::words::{sentence, shown};
use super::{Draft, Rewriter, boolean, list, member, named, object, text, word};
use crate::json::{Json, Member, Node};
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

/// The keys of an entry that represents a member of a map.
const KEY: &str = "key";
const VALUE: &str = "value";

/// An object's rule for keys that it does not list.
enum Others<'s> {
    Any,
    None,
    Values(&'s Json<'static>),
    Patterns,
}

impl<'s> Others<'s> {
    fn of(schema: &'s Json<'static>) -> Self {
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
        !self.path.is_empty() && lists_none && matches!(Others::of(schema), Others::Values(_))
    }

    /// Writes a map as an array with an entry for each key.
    pub(super) fn entries(&mut self, schema: &Json<'static>, group: &mut Draft) -> Plan {
        let Others::Values(values) = Others::of(schema) else { return Plan::Same };
        self.is_changed = true;
        let (value, plan) = self.at("*", &["additionalProperties"], |rewriter| rewriter.schema(values));
        let mut key = vec![member("type", word("string"))];
        let mut words = Vec::new();
        if let Some(names) = schema.get("propertyNames") {
            let (names, _) = self.keys_of_entries(names);
            match names {
                Some(names) => key = names,
                None => words.extend(schema.get("propertyNames").and_then(|names| sentence("propertyNames", names))),
            }
        }
        let properties = object([member(KEY, object(key)), member(VALUE, value)]);
        let mut entry = vec![
            member("type", word("object")),
            member("properties", properties),
            member("required", list([word(KEY), word(VALUE)])),
        ];
        if self.form.closes_objects {
            entry.push(member("additionalProperties", boolean(false)));
        }
        if let Some(finish) = self.form.finish {
            entry = finish(entry);
        }
        group.push("items", object(entry));
        group.words.push("An entry for each key, and no key twice.".to_owned());
        group.words.extend(words);
        let types = [crate::json::JsonType::Array];
        for (keyword, written) in [("minProperties", "minItems"), ("maxProperties", "maxItems")] {
            if let Some(count) = schema.get(keyword) {
                self.keyword(&member(written, count.clone()), &types, group);
            }
        }
        Plan::Entries(Box::new(plan))
    }

    /// Returns the schema of the keys of a map.
    fn keys_of_entries(&mut self, names: &Json<'static>) -> (Option<Vec<Member<'static>>>, Plan) {
        let simple =
            ["$ref", "anyOf", "oneOf", "allOf", "not", "if"].iter().all(|keyword| names.get(keyword).is_none());
        if !simple || names.members().is_empty() {
            return (None, Plan::Same);
        }
        let keywords = names.members().iter().filter(|member| member.key != "type").cloned();
        let names = object([member("type", word("string"))].into_iter().chain(keywords));
        let (written, plan) = self.schema(&names);
        match written.node {
            Node::Object(members) => (Some(members), plan),
            _ => (None, plan),
        }
    }

    /// Writes the schemas of an object's members.
    pub(super) fn fields(&mut self, schema: &Json<'static>, group: &mut Draft) -> Members {
        let others = Others::of(schema);
        let properties = schema.get("properties").map_or(&[][..], Json::members);
        let properties = super::unrepeated(properties);
        let required: HashSet<&str> =
            schema.get("required").map_or(&[][..], Json::items).iter().filter_map(Json::as_str).collect();
        self.close(&others, schema, &properties, &required);
        let mut names = self.names(&properties);
        let mut members = Members::default();
        let (mut written, mut still_required) = (Vec::new(), Vec::new());
        for (property, name) in properties.iter().zip(names.iter_mut()) {
            let is_required = required.contains(&*property.key);
            let name = name.take();
            let (value, undo) = self.at(&property.key, &["properties", &property.key], |rewriter| {
                rewriter.property(property, is_required, name.as_deref())
            });
            let key = name.as_deref().unwrap_or(&property.key);
            if is_required && !self.leads_back(&property.value) || self.form.requires_all {
                still_required.push(text(key));
            }
            written.push(named(key, value));
            if let Some(own) = &undo.own_key {
                members.renamed.insert(own.clone(), key.into());
            }
            if undo.own_key.is_some() || undo.null_is_absent || undo.value != Plan::Same {
                members.by_key.insert(key.into(), undo);
            }
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
    fn close(
        &mut self,
        others: &Others<'_>,
        schema: &Json<'static>,
        properties: &[&Member<'static>],
        required: &HashSet<&str>,
    ) {
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
        if let Some(key) = required.iter().find(|key| !properties.iter().any(|property| property.key == **key)) {
            self.lose(format!("requires {}, which it does not list", shown(&text(*key))));
        }
    }

    /// Returns the new spelling of each key that the provider does not accept.
    fn names(&self, properties: &[&Member<'static>]) -> Vec<Option<String>> {
        let Some(rule) = self.form.keys.filter(|_| self.unions == 0 || self.renames_in_unions) else {
            return vec![None; properties.len()];
        };
        let mut taken: HashSet<String> = HashSet::new();
        taken.extend(
            properties.iter().filter(|property| rule.accepts(&property.key)).map(|property| property.key.to_string()),
        );
        let mut numbers: std::collections::HashMap<String, usize> = std::collections::HashMap::new();
        let rename = |property: &&Member<'static>| {
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
            let mark = property.value.get(ABSENT_IS_NULL).filter(|_| self.is_marked);
            if mark.is_some_and(|mark| mark.as_bool() == Some(true)) {
                // `null` stays, because the tool treats it like an absent key.
            } else if mark.is_some_and(|mark| mark.as_str() == Some(OF_A_BRANCH)) {
                // The variant of the value may not have this key.
                undo.null_is_absent = true;
                self.is_changed = true;
            } else if self.document.may_be_null(&property.value) {
                self.lose("is optional and may be `null`, which would be the same");
            } else {
                value = super::null::or_null(value);
                undo.null_is_absent = true;
                self.is_changed = true;
            }
        }
        if self.leads_back(&property.value) && is_required {
            value = self.said(value, "Required.");
        }
        if name.is_some() {
            value = self.said(value, &format!("Named {}.", shown(&text(&*property.key))));
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

    /// Writes the schema of keys that are not listed.
    fn others(&mut self, others: &Others<'_>, schema: &Json<'static>, group: &mut Draft) -> Option<Plan> {
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
                    let (value, undo) = self.at("*", &["additionalProperties"], |rewriter| rewriter.schema(values));
                    plan = (undo != Plan::Same).then_some(undo);
                    group.members.push(named(keyword, value));
                }
                _ if is_read || self.form.keeps_unread => {
                    let value = self.verbatim(value);
                    group.members.push(named(keyword, value));
                }
                _ => group.words.extend(sentence(keyword, value).filter(|_| !matches!(value.node, Node::Bool(_)))),
            }
        }
        plan
    }

    /// Writes the constraints on keys and their number.
    fn bounds(&mut self, schema: &Json<'static>, is_renamed: bool, group: &mut Draft) {
        let types = [crate::json::JsonType::Object];
        for keyword in ["propertyNames", "minProperties", "maxProperties", "propertyOrdering"] {
            match schema.get(keyword) {
                None => {}
                // The constraint applies to the keys of the tool, not to those that the model sees.
                Some(value) if is_renamed && matches!(keyword, "propertyNames" | "propertyOrdering") => {
                    group.words.extend(sentence(keyword, value));
                }
                // Left out, because every key is listed and `null` represents an absent one.
                Some(_) if self.form.requires_all && keyword == "propertyOrdering" => {}
                Some(value) => self.keyword(&member(keyword, value.clone()), &types, group),
            }
        }
    }
}

impl Rewriter<'_> {
    /// Returns the schema with one more sentence in its description.
    fn said(&self, schema: Json<'static>, sentence: &str) -> Json<'static> {
        let Node::Object(mut members) = schema.node else { return schema };
        let is_alone = self.form.references != References::WithSiblings;
        if is_alone && members.iter().any(|member| member.key == "$ref") {
            members = vec![member("anyOf", list([object(members)]))];
        }
        match members.iter_mut().find(|member| member.key == "description") {
            Some(known) => {
                let words = known.value.as_str().unwrap_or_default();
                known.value = text(format!("{words}\n{sentence}"));
            }
            None => members.push(member("description", text(sentence))),
        }
        object(members)
    }
}

fn names_changed(properties: &[&Member<'static>], written: &[Member<'static>]) -> bool {
    properties.iter().zip(written).any(|(property, written)| property.key != written.key)
}
