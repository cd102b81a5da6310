//! A root without `oneOf`, `anyOf` and `allOf`, for the APIs that refuse these there.
//!
//! In comes the schema of a tool's arguments; out goes one whose root lists the properties of all branches. It accepts whatever the
//! original accepts and more: a model sees every key, and what does not go together is told by the check. OpenAI answers such a root
//! with "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level", Anthropic with
//! "`input_schema` does not support oneOf, allOf, or anyOf at the top level"; below the root both take them.

use super::draft::{Draft, boolean, list, object};
use crate::json::{Json, Member, Node};

/// How many branches may stand inside each other; a deeper one says nothing.
const DEPTH: usize = 8;

/// The same schema, as far as it can be said without branches at the root.
pub(super) fn without_branches(schema: Json<'static>) -> Json<'static> {
    let branches = ["oneOf", "anyOf", "allOf", "not", "enum", "const"];
    if !branches.iter().any(|keyword| schema.get(keyword).is_some()) {
        return schema;
    }
    let Properties { properties, required, closed } = Properties::of(&schema, &schema, DEPTH);
    let Node::Object(keywords) = schema.node else { return schema };
    let mut root = Draft::from(keywords);
    for keyword in branches.into_iter().chain(["unevaluatedProperties", "required"]) {
        root.take(keyword);
    }
    root.set("properties", object(properties));
    if !required.is_empty() {
        root.set("required", list(required));
    }
    if closed && root.get("additionalProperties").is_none() {
        root.set("additionalProperties", boolean(false));
    }
    root.finish()
}

/// What a schema says about the keys of an object, its branches included.
#[derive(Default)]
struct Properties {
    properties: Vec<Member<'static>>,
    required: Vec<Json<'static>>,
    /// Whether it names every key that there may be.
    closed: bool,
}

impl Properties {
    fn of(schema: &Json<'static>, root: &Json<'static>, depth: usize) -> Self {
        let Some(depth) = depth.checked_sub(1) else { return Self::default() };
        if let Some(reference) = schema.get("$ref").and_then(Json::as_str) {
            let name = reference.strip_prefix("#/$defs/");
            let definition = name.and_then(|name| root.get("$defs")?.get(name));
            return definition.map_or_else(Self::default, |definition| Self::of(definition, root, depth));
        }
        let is_false = |keyword| schema.get(keyword).and_then(Json::as_bool) == Some(false);
        let mut all = Self {
            properties: schema.get("properties").map_or_else(Vec::new, |properties| properties.members().to_vec()),
            required: schema.get("required").map_or_else(Vec::new, |required| required.items().to_vec()),
            closed: is_false("additionalProperties") || is_false("unevaluatedProperties"),
        };
        for part in schema.get("allOf").map_or(&[][..], Json::items) {
            let part = Self::of(part, root, depth);
            all.add_properties(part.properties);
            all.add_required(part.required);
            all.closed |= part.closed;
        }
        for keyword in ["oneOf", "anyOf"] {
            let branches = schema.get(keyword).map_or(&[][..], Json::items).iter();
            let mut branches = branches.map(|branch| Self::of(branch, root, depth));
            let Some(mut either) = branches.next() else { continue };
            for branch in branches {
                either.add_properties(branch.properties);
                either.required.retain(|key| branch.required.contains(key));
                either.closed &= branch.closed;
            }
            all.add_properties(either.properties);
            all.add_required(either.required);
            all.closed |= either.closed;
        }
        all
    }

    fn add_properties(&mut self, others: Vec<Member<'static>>) {
        for other in others {
            match self.properties.iter_mut().find(|known| known.key == other.key) {
                Some(known) if known.value == other.value => {}
                Some(known) => known.value = either(&known.value, other.value),
                None => self.properties.push(other),
            }
        }
    }

    fn add_required(&mut self, others: Vec<Json<'static>>) {
        for other in others {
            if !self.required.contains(&other) {
                self.required.push(other);
            }
        }
    }
}

/// A schema for what either of two accepts; the tags of two variants become one `enum`.
fn either(known: &Json<'static>, other: Json<'static>) -> Json<'static> {
    let words = |schema: &Json<'static>| match (schema.get("const"), schema.get("enum")) {
        (Some(word), _) => Some(vec![word.clone()]),
        (None, Some(words)) if schema.get("type")?.as_str() == Some("string") => Some(words.items().to_vec()),
        _ => None,
    };
    if let (Some(mut known), Some(other)) = (words(known), words(&other)) {
        known.extend(other);
        return Draft::of("string").with("enum", list(known)).finish();
    }
    match known.get("anyOf").filter(|_| known.members().len() == 1) {
        Some(branches) => Draft::default().with("anyOf", list(branches.items().iter().cloned().chain([other]))).finish(),
        None => Draft::default().with("anyOf", list([known.clone(), other])).finish(),
    }
}
