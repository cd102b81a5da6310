//! The size of a schema, as a provider counts it for one definition and for a request.

use std::collections::HashMap;

use super::note::Note;
use super::rules::Limits;
use crate::json::{Json, Node};

/// The number of values beyond which an `enum` counts as long.
const LONG: usize = 250;

/// The maximum depth of a schema's JSON. Parsers stop at 128 levels, and the definition adds levels around the schema.
const DEPTH: usize = 120;

/// The part of a request's budget that a definition uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cost {
    pub(super) optionals: usize,
    pub(super) unions: usize,
}

/// The sizes of a schema.
#[derive(Default)]
struct Sizes {
    properties: usize,
    characters: usize,
    values: usize,
    longest_enum: usize,
}

/// Returns the reasons why a schema is too large for a provider.
pub(super) fn exceeded(schema: &Json<'static>, limits: &Limits) -> Vec<Note> {
    let mut sizes = Sizes::default();
    if is_deeper(schema, DEPTH) {
        return vec![Note::of_tool("the schema nests too deep in this form")];
    }
    if *limits == Limits::NONE {
        return Vec::new();
    }
    sizes.add(schema);
    let levels = Levels { definitions: definitions(schema), known: HashMap::new() }.of(schema, 0);
    let checks = [
        (sizes.properties, limits.properties, "properties"),
        (levels, limits.levels, "levels of objects and arrays"),
        (sizes.characters, limits.characters, "characters of names and listed values"),
        (sizes.values, limits.values, "listed values"),
        (sizes.longest_enum, limits.long_enum, "characters in one long enum"),
    ];
    let too_many = checks.into_iter().filter(|(size, limit, _)| size > limit);
    let words = |(size, limit, what)| format!("the schema has {size} {what}, and the provider takes {limit}");
    too_many.map(words).map(Note::of_tool).collect()
}

/// Returns `true` if a value is nested deeper than a bound. The recursion ends at the bound.
fn is_deeper(json: &Json<'static>, bound: usize) -> bool {
    let below = |part: &Json<'static>| match part.node {
        Node::Array(_) | Node::Object(_) => bound == 1 || is_deeper(part, bound - 1),
        _ => bound == 0,
    };
    match &json.node {
        Node::Array(items) => items.iter().any(below),
        Node::Object(members) => members.iter().any(|member| below(&member.value)),
        _ => false,
    }
}

impl Sizes {
    /// Counts a schema and its inner schemas. A definition counts once, however many references it has. The recursion
    /// is bounded, because the nesting of `Json` is.
    fn add(&mut self, schema: &Json<'static>) {
        for member in schema.members() {
            match (&*member.key, &member.value.node) {
                ("properties" | "$defs", Node::Object(named)) => {
                    if member.key == "properties" {
                        self.properties += named.len();
                    }
                    for entry in named {
                        self.characters += entry.key.chars().count();
                        self.add(&entry.value);
                    }
                }
                ("enum", Node::Array(values)) => {
                    let characters = values.iter().map(characters).sum::<usize>();
                    self.values += values.len();
                    self.characters += characters;
                    if values.len() > LONG {
                        self.longest_enum = self.longest_enum.max(characters);
                    }
                }
                ("const", _) => self.characters += characters(&member.value),
                ("anyOf" | "oneOf" | "allOf" | "prefixItems", Node::Array(parts)) => {
                    for part in parts {
                        self.add(part);
                    }
                }
                ("items" | "additionalProperties", Node::Object(_)) => self.add(&member.value),
                _ => {}
            }
        }
    }
}

fn characters(value: &Json<'static>) -> usize {
    value.as_str().map_or_else(|| value.to_text().len(), |text| text.chars().count())
}

/// Returns the definitions of a schema, keyed by the text of a reference to them.
fn definitions<'s>(schema: &'s Json<'static>) -> HashMap<String, &'s Json<'static>> {
    let all = schema.get("$defs").map_or(&[][..], Json::members);
    all.iter().map(|entry| (format!("#/$defs/{}", entry.key), &entry.value)).collect()
}

/// The state of computing how deep objects and arrays are nested. References are followed unless they are recursive.
struct Levels<'s> {
    definitions: HashMap<String, &'s Json<'static>>,
    known: HashMap<String, Option<usize>>,
}

impl<'s> Levels<'s> {
    fn of(&mut self, schema: &'s Json<'static>, depth: usize) -> usize {
        // This is deeper than the limit of any provider.
        if depth > 64 {
            return depth;
        }
        if let Some(reference) = schema.get("$ref").and_then(Json::as_str) {
            return self.of_reference(reference, depth);
        }
        let mut deepest = 0;
        let mut is_level = false;
        for member in schema.members() {
            let below = match (&*member.key, &member.value.node) {
                ("properties", Node::Object(named)) => {
                    is_level = true;
                    named.iter().map(|entry| self.of(&entry.value, depth + 1)).max().unwrap_or_default()
                }
                ("items", Node::Object(_)) => {
                    is_level = true;
                    self.of(&member.value, depth + 1)
                }
                ("anyOf" | "oneOf", Node::Array(parts)) => {
                    deepest = deepest.max(parts.iter().map(|part| self.of(part, depth + 1)).max().unwrap_or_default());
                    continue;
                }
                _ => continue,
            };
            deepest = deepest.max(below + 1);
        }
        deepest.max(usize::from(is_level))
    }

    fn of_reference(&mut self, reference: &str, depth: usize) -> usize {
        if let Some(known) = self.known.get(reference) {
            return known.unwrap_or_default();
        }
        self.known.insert(reference.to_owned(), None);
        let definition = self.definitions.get(reference).copied();
        let levels = definition.map_or(0, |schema| self.of(schema, depth + 1));
        self.known.insert(reference.to_owned(), Some(levels));
        levels
    }
}

/// Returns the part of a request's budget that a schema uses. Each definition counts once for each reference to it.
pub(super) fn cost(schema: &Json<'static>) -> Cost {
    Costs { definitions: definitions(schema), known: HashMap::new() }.of(schema, 0)
}

struct Costs<'s> {
    definitions: HashMap<String, &'s Json<'static>>,
    known: HashMap<String, Cost>,
}

impl<'s> Costs<'s> {
    fn of(&mut self, schema: &'s Json<'static>, depth: usize) -> Cost {
        let mut cost = Cost::default();
        if depth > 200 {
            return Cost { optionals: usize::MAX, unions: usize::MAX };
        }
        if let Some(reference) = schema.get("$ref").and_then(Json::as_str) {
            return self.of_reference(reference, depth);
        }
        let has_union =
            schema.get("anyOf").is_some() || schema.get("type").is_some_and(|named| !named.items().is_empty());
        cost.unions += usize::from(has_union);
        if let Some(properties) = schema.get("properties") {
            let required = schema.get("required").map_or(0, |required| required.items().len());
            cost.optionals += properties.members().len().saturating_sub(required);
            for property in properties.members() {
                cost = cost.and(self.of(&property.value, depth + 1));
            }
        }
        for part in schema.get("anyOf").map_or(&[][..], Json::items).iter().chain(schema.get("items")) {
            cost = cost.and(self.of(part, depth + 1));
        }
        cost
    }

    fn of_reference(&mut self, reference: &str, depth: usize) -> Cost {
        if let Some(known) = self.known.get(reference) {
            return *known;
        }
        // A definition costs zero while its cost is being computed. Only a recursive schema reads this zero, and forms
        // with a budget refuse recursive schemas.
        self.known.insert(reference.to_owned(), Cost::default());
        let definition = self.definitions.get(reference).copied();
        let cost = definition.map_or(Cost::default(), |schema| self.of(schema, depth + 1));
        self.known.insert(reference.to_owned(), cost);
        cost
    }
}

impl Cost {
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            optionals: self.optionals.saturating_add(other.optionals),
            unions: self.unions.saturating_add(other.unions),
        }
    }
}
