//! Removes `oneOf`, `anyOf` and `allOf` from the root of a schema, for the APIs that reject them there.
//!
//! The root then lists the properties of all branches. It accepts more than the original: the model sees the keys of all branches, and the
//! checker reports a call that mixes keys of several branches. `OpenAI` answers such a root with "schema must have type 'object' and not
//! have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level", Anthropic with "`input_schema` does not support oneOf, allOf, or anyOf at
//! the top level"; below the root, both providers accept these keywords. Invariant: every value that the original accepts is accepted,
//! unless it contains a key that only another variant declares, with a value of another type.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::draft::Draft;
use crate::json::build::{boolean, list, member, object};
use crate::json::pointer::resolve_reference;
use crate::json::{Json, Member, Node};

/// The maximum depth of branches; deeper ones are ignored.
const DEPTH: usize = 16;
/// The maximum number of branches visited. It is needed because a recursive union has infinitely many branches.
const BRANCHES: usize = 4_096;
/// The keywords that are rejected at the root.
const REJECTED: [&str; 6] = ["oneOf", "anyOf", "allOf", "not", "enum", "const"];

/// Returns the schema with the branches of the root replaced by a list of all their properties. The second value is `true` if a branch describes, or may describe, keys that
/// it does not list.
pub(crate) fn outlined(schema: Json<'static>) -> (Json<'static>, bool) {
    if !REJECTED.iter().any(|keyword| schema.get(keyword).is_some()) {
        return (schema, false);
    }
    let outline = Outliner { root: &schema, left: BRANCHES }.outline(&schema, DEPTH);
    let mut root = Draft::from_json(schema);
    for keyword in REJECTED.into_iter().chain(["unevaluatedProperties", "required"]) {
        root.take(keyword);
    }
    root.set("properties", object(outline.properties));
    if !outline.required.is_empty() {
        root.set("required", list(outline.required));
    }
    if outline.closed && !outline.open {
        root.set("additionalProperties", boolean(false));
    }
    (root.finish(), outline.open)
}

/// The description of an object's keys, including its branches.
#[derive(Default)]
struct Outline {
    properties: Vec<Member<'static>>,
    /// The index of each property.
    places: HashMap<Cow<'static, str>, usize>,
    required: Vec<Json<'static>>,
    /// `true` if other keys are rejected.
    closed: bool,
    /// `true` if keys that are not listed are described, for example by a pattern, or may be described in a part that was not visited.
    open: bool,
}

struct Outliner<'s> {
    root: &'s Json<'static>,
    left: usize,
}

impl Outliner<'_> {
    fn outline(&mut self, schema: &Json<'static>, depth: usize) -> Outline {
        let (Some(depth), Some(left)) = (depth.checked_sub(1), self.left.checked_sub(1)) else {
            return Outline { open: true, ..Outline::default() };
        };
        self.left = left;
        if let Some(reference) = schema.get("$ref").and_then(Json::as_str) {
            return match resolve_reference(self.root, reference) {
                Some(definition) => self.outline(definition, depth),
                None => Outline { open: true, ..Outline::default() },
            };
        }
        let others = ["additionalProperties", "unevaluatedProperties", "patternProperties"];
        let others: Vec<_> = others.iter().filter_map(|keyword| schema.get(keyword)).map(Json::as_bool).collect();
        let mut outline = Outline {
            closed: others.contains(&Some(false)),
            open: others.iter().any(|others| *others != Some(false)),
            ..Outline::default()
        };
        outline.add(schema.get("properties").map_or(&[][..], Json::members).to_vec(), widen);
        outline.add_required(schema.get("required").map_or(&[][..], Json::items).to_vec());
        for part in schema.get("allOf").map_or(&[][..], Json::items) {
            outline.and(self.outline(part, depth));
        }
        for keyword in ["oneOf", "anyOf"] {
            let mut branches = schema.get(keyword).map_or(&[][..], Json::items).iter();
            let Some(first) = branches.next() else { continue };
            let first = self.outline(first, depth);
            outline.and(branches.fold(first, |either, branch| either.or(self.outline(branch, depth))));
        }
        outline
    }
}

impl Outline {
    /// Combines the outline with that of a schema that applies at the same time.
    fn and(&mut self, other: Self) {
        self.add(other.properties, narrow);
        self.add_required(other.required);
        self.closed |= other.closed;
        self.open |= other.open;
    }

    /// Combines the outline with that of an alternative schema.
    fn or(mut self, other: Self) -> Self {
        self.add(other.properties, widen);
        self.required.retain(|key| other.required.contains(key));
        self.closed &= other.closed;
        self.open |= other.open;
        self
    }

    /// Adds properties; `join` combines the schemas of a property that is known already.
    fn add(&mut self, others: Vec<Member<'static>>, join: fn(&mut Json<'static>, Json<'static>)) {
        for other in others {
            match self.places.entry(other.key.clone()) {
                Entry::Occupied(place) => join(&mut self.properties[*place.get()].value, other.value),
                Entry::Vacant(place) => {
                    place.insert(self.properties.len());
                    self.properties.push(other);
                }
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

/// Combines the schemas of a property for a value that both accept. If one of them accepts any value, only the other one is left. If none
/// does, the result accepts more, as for alternatives.
fn narrow(known: &mut Json<'static>, other: Json<'static>) {
    if accepts_any(&other) {
        return;
    }
    if !accepts_any(known) {
        return widen(known, other);
    }
    let description = known.get("description").cloned();
    *known = other;
    if let (Some(description), Node::Object(keywords)) = (description, &mut known.node)
        && !keywords.iter().any(|keyword| keyword.key == "description")
    {
        keywords.push(member("description", description));
    }
}

/// Returns `true` if a schema certainly accepts every value. The recursion is bounded, because the nesting of `Json` is.
fn accepts_any(schema: &Json<'static>) -> bool {
    match &schema.node {
        Node::Object(keywords) => keywords.iter().all(|keyword| match &*keyword.key {
            "description" | "title" => true,
            "anyOf" => keyword.value.items().iter().any(accepts_any),
            _ => false,
        }),
        _ => schema.as_bool() == Some(true),
    }
}

/// Extends a schema to accept the values of another one; the tags of variants become one `enum`.
fn widen(known: &mut Json<'static>, other: Json<'static>) {
    if *known == other || known.get("anyOf").is_some_and(|branches| branches.items().contains(&other)) {
        return;
    }
    let mut draft = Draft::from_json(std::mem::replace(known, boolean(true)));
    let is_tag = |draft: &Draft| draft.json_type() == Some("string") && draft.len() == 2;
    match (draft.take("const"), other.get("const")) {
        (Some(first), Some(tag)) => draft.set("enum", list([first, tag.clone()])),
        (None, Some(tag)) if is_tag(&draft) && draft.get("enum").is_some() => draft.push("enum", tag.clone()),
        (first, _) => {
            if let Some(first) = first {
                draft.set("const", first);
            }
            if draft.len() > 1 || draft.get("anyOf").is_none() {
                draft = Draft::default().with("anyOf", list([draft.finish()]));
            }
            draft.push("anyOf", other);
        }
    }
    *known = draft.finish();
}
