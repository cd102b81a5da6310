//! The parts of a JSON Schema that apply to a place in arguments: [`Parts`].
//!
//! Everything that cannot be followed, such as a `$ref` to another document, counts as a part with a redacted name. A list of too many parts is
//! a part itself, which is only searched for redacted names.

use std::collections::{HashMap, HashSet};
use std::ptr::from_ref;

use serde_json::{Map, Value};

use crate::redact::find_redacted_names::Names;

/// The maximum number of parts for one place.
const MOST_PARTS: usize = 64;
/// The maximum number of values that are searched for a redacted name.
const MOST_VALUES: usize = 100_000;

/// A part of a schema, behind its whole schema.
pub(super) type Part<'s> = (&'s Value, &'s Value);

/// The parts that apply to a place. Any of them may describe its value.
pub(super) type Parts<'s> = Vec<Part<'s>>;

/// The results of searches for redacted names, so that no part is searched twice.
#[derive(Default)]
pub(super) struct Searched {
    below: HashMap<*const Value, bool>,
    direct: HashMap<*const Value, bool>,
}

const LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
const CONDITIONS: [&str; 4] = ["if", "then", "else", "not"];
const ITEMS: [&str; 5] = ["items", "prefixItems", "additionalItems", "contains", "unevaluatedItems"];

/// Adds the parts that apply to the same place as these. Returns `None` if there are too many, or if a reference cannot be followed.
pub(super) fn in_place(parts: Parts<'_>) -> Option<Parts<'_>> {
    let (mut found, mut rest): (Parts<'_>, _) = (Vec::new(), parts);
    while let Some((root, part)) = rest.pop() {
        if found.iter().any(|(_, known)| std::ptr::eq(*known, part)) {
            continue;
        }
        found.push((root, part));
        let Some(keywords) = part.as_object() else { continue };
        for reference in ["$ref", "$dynamicRef"] {
            if let Some(reference) = keywords.get(reference) {
                rest.push((root, resolve(root, reference)?));
            }
        }
        let lists = LISTS.iter().filter_map(|key| keywords.get(*key)?.as_array()).flatten();
        let conditions = CONDITIONS.iter().filter_map(|key| keywords.get(*key));
        let dependent = keywords.get("dependentSchemas").and_then(Value::as_object).into_iter().flat_map(Map::values);
        rest.extend(lists.chain(conditions).chain(dependent).map(|part| (root, part)));
        if found.len() + rest.len() > MOST_PARTS {
            return None;
        }
    }
    Some(found)
}

/// Returns the parts for the value of a key, and `true` if one of these parts declares the key by name.
pub(super) fn of_key<'s>(parts: &Parts<'s>, key: &str) -> (Parts<'s>, bool) {
    let (mut below, mut is_declared) = (Vec::new(), false);
    for (root, part) in parts {
        if let Some(declared) = properties(part).and_then(|properties| properties.get(key)) {
            below.push((*root, declared));
            is_declared = true;
            continue;
        }
        match part.get("patternProperties") {
            Some(Value::Object(patterns)) if patterns.len() <= MOST_PARTS => {
                below.extend(patterns.values().map(|part| (*root, part)));
            }
            patterns => below.extend(patterns.map(|patterns| (*root, patterns))),
        }
        let others = ["additionalProperties", "unevaluatedProperties"].into_iter().filter_map(|key| part.get(key));
        below.extend(others.filter(|part| part.is_object()).map(|part| (*root, part)));
    }
    (below, is_declared)
}

/// Returns the parts for the items of an array.
pub(super) fn of_items<'s>(parts: &Parts<'s>) -> Parts<'s> {
    let mut below = Vec::new();
    for (root, part) in parts {
        for items in ITEMS.iter().filter_map(|key| part.get(*key)) {
            match items {
                Value::Array(items) if items.len() <= MOST_PARTS => {
                    below.extend(items.iter().map(|item| (*root, item)));
                }
                items => below.push((*root, items)),
            }
        }
    }
    below
}

/// Returns `true` if a part describes the members of an object.
pub(super) fn describes_members(part: &Value) -> bool {
    ["properties", "patternProperties", "additionalProperties"].iter().any(|key| part.get(*key).is_some())
}

fn properties(part: &Value) -> Option<&Map<String, Value>> {
    part.get("properties")?.as_object()
}

fn declares_redacted(names: &Names<'_>, part: &Value) -> bool {
    properties(part).is_some_and(|declared| declared.keys().any(|key| names.resembles(key)))
}

/// Returns `true` if a part itself declares a redacted name.
pub(super) fn declares(names: &Names<'_>, (_, part): Part<'_>, searched: &mut Searched) -> bool {
    *searched.direct.entry(from_ref(part)).or_insert_with(|| declares_redacted(names, part))
}

/// Returns `true` if a redacted name is declared in a part or anywhere below it.
pub(super) fn holds(names: &Names<'_>, (root, part): Part<'_>, searched: &mut Searched) -> bool {
    if let Some(known) = searched.below.get(&from_ref(part)) {
        return *known;
    }
    let (mut seen, mut rest) = (HashSet::new(), vec![part]);
    let mut found = false;
    while let Some(value) = rest.pop() {
        if !seen.insert(from_ref(value)) {
            continue;
        }
        found |= seen.len() > MOST_VALUES;
        match value {
            Value::Array(items) => rest.extend(items),
            Value::Object(keywords) => {
                found |= declares_redacted(names, value);
                if let Some(reference) = keywords.get("$ref").or_else(|| keywords.get("$dynamicRef")) {
                    match resolve(root, reference) {
                        Some(value) => rest.push(value),
                        // A property may have this name.
                        None => found |= reference.is_string(),
                    }
                }
                rest.extend(keywords.values());
            }
            _ => {}
        }
        if found {
            break;
        }
    }
    searched.below.insert(from_ref(part), found);
    found
}

/// Follows a reference inside a schema.
fn resolve<'s>(root: &'s Value, reference: &Value) -> Option<&'s Value> {
    root.pointer(reference.as_str()?.strip_prefix('#')?)
}
