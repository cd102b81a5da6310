//! The size of a schema, as a provider counts it for one definition and for a request.

use std::collections::HashMap;

use super::downgrade_reason::DowngradeReason;
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
pub(super) fn exceeded_limits(schema: &Json<'static>, limits: &Limits) -> Vec<DowngradeReason> {
    let mut sizes = Sizes::default();
    if is_deeper(schema, DEPTH) {
        return vec![DowngradeReason::of_tool("the schema nests too deep in this form")];
    }
    if *limits == Limits::NONE {
        return Vec::new();
    }
    sizes.add(schema);
    let levels = levels(&mut Definitions::from_schema(schema), schema, 0);
    let checks = [
        (sizes.properties, limits.properties, "properties"),
        (levels, limits.levels, "levels of objects and arrays"),
        (sizes.characters, limits.characters, "characters of names and listed values"),
        (sizes.values, limits.values, "listed values"),
        (sizes.longest_enum, limits.long_enum, "characters in one long enum"),
    ];
    let too_many = checks.into_iter().filter(|(size, limit, _)| size > limit);
    let words = |(size, limit, what)| format!("the schema has {size} {what}, and the provider takes {limit}");
    too_many.map(words).map(DowngradeReason::of_tool).collect()
}

/// Returns `true` if a value is nested deeper than a bound. The recursion ends at the bound.
fn is_deeper(json: &Json<'static>, bound: usize) -> bool {
    json.parts().any(|part| match part.node {
        Node::Array(_) | Node::Object(_) => bound == 1 || is_deeper(part, bound - 1),
        _ => bound == 0,
    })
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

/// The definitions of a schema, and the measures of those that were measured. A definition measures zero while it is being measured. Only a
/// recursive schema reads this zero.
struct Definitions<'s, M> {
    schemas: HashMap<String, &'s Json<'static>>,
    known: HashMap<String, M>,
}

impl<'s, M: Copy + Default> Definitions<'s, M> {
    fn from_schema(schema: &'s Json<'static>) -> Self {
        let all = schema.get("$defs").map_or(&[][..], Json::members);
        let schemas = all.iter().map(|entry| (format!("#/$defs/{}", entry.key), &entry.value)).collect();
        Self { schemas, known: HashMap::new() }
    }

    /// Returns the measure of the definition that a schema refers to, or `None` if the schema is not a reference.
    fn measure_reference(
        &mut self,
        schema: &Json<'static>,
        measure: impl FnOnce(&mut Self, &'s Json<'static>) -> M,
    ) -> Option<M> {
        let reference = schema.get("$ref").and_then(Json::as_str)?;
        if let Some(known) = self.known.get(reference) {
            return Some(*known);
        }
        self.known.insert(reference.to_owned(), M::default());
        let found = self.schemas.get(reference).copied().map_or(M::default(), |schema| measure(self, schema));
        self.known.insert(reference.to_owned(), found);
        Some(found)
    }
}

/// Returns how deep objects and arrays are nested.
fn levels<'s>(definitions: &mut Definitions<'s, usize>, schema: &'s Json<'static>, depth: usize) -> usize {
    // This is deeper than the limit of any provider.
    if depth > 64 {
        return depth;
    }
    if let Some(known) = definitions.measure_reference(schema, |all, schema| levels(all, schema, depth + 1)) {
        return known;
    }
    let mut deepest = 0;
    for member in schema.members() {
        let (parts, own): (&mut dyn Iterator<Item = &'s Json<'static>>, _) = match (&*member.key, &member.value.node) {
            ("properties", Node::Object(named)) => (&mut named.iter().map(|entry| &entry.value), 1),
            ("items", Node::Object(_)) => (&mut std::iter::once(&member.value), 1),
            ("anyOf" | "oneOf", Node::Array(parts)) => (&mut parts.iter(), 0),
            _ => continue,
        };
        let below = parts.map(|part| levels(definitions, part, depth + 1)).max().unwrap_or_default();
        deepest = deepest.max(below + own);
    }
    deepest
}

/// Returns the part of a request's budget that a schema uses. Each definition counts once for each reference to it.
pub(super) fn cost(schema: &Json<'static>) -> Cost {
    cost_within(&mut Definitions::from_schema(schema), schema, 0)
}

fn cost_within<'s>(definitions: &mut Definitions<'s, Cost>, schema: &'s Json<'static>, depth: usize) -> Cost {
    let mut cost = Cost::default();
    if depth > 200 {
        return Cost { optionals: usize::MAX, unions: usize::MAX };
    }
    // Forms with a budget reject recursive schemas.
    if let Some(known) = definitions.measure_reference(schema, |all, schema| cost_within(all, schema, depth + 1)) {
        return known;
    }
    let has_union = schema.get("anyOf").is_some() || schema.get("type").is_some_and(|named| !named.items().is_empty());
    cost.unions += usize::from(has_union);
    if let Some(properties) = schema.get("properties") {
        let required = schema.get("required").map_or(0, |required| required.items().len());
        cost.optionals += properties.members().len().saturating_sub(required);
        for property in properties.members() {
            cost = cost.and(cost_within(definitions, &property.value, depth + 1));
        }
    }
    for part in schema.get("anyOf").map_or(&[][..], Json::items).iter().chain(schema.get("items")) {
        cost = cost.and(cost_within(definitions, part, depth + 1));
    }
    cost
}

impl Cost {
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            optionals: self.optionals.saturating_add(other.optionals),
            unions: self.unions.saturating_add(other.unions),
        }
    }
}
