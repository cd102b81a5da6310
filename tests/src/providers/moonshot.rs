//! Moonshot: the rules of MFJS, which its validator and its specification state.
//!
//! <https://github.com/MoonshotAI/walle/blob/main/docs/mfjs-spec.md>, `validation-principles.md` beside it, and
//! <https://platform.kimi.ai/docs/api/tool-use>. Keywords that the validator removes without an error count as rejected, because the constraint
//! would be lost.

use serde_json::Value;

use super::others::functions;
use super::walk::{Place, places, properties, required, target};
use super::{is_word, text};

/// The keywords of MFJS and of its validator.
const SUPPORTED: [&str; 18] = [
    "type",
    "properties",
    "additionalProperties",
    "items",
    "enum",
    "required",
    "anyOf",
    "description",
    "title",
    "default",
    "$defs",
    "$ref",
    "maxLength",
    "minLength",
    "maximum",
    "minimum",
    "maxItems",
    "minItems",
];

const RESERVED: [&str; 5] = ["$defs", "$ref", "anyOf", "required", "additionalProperties"];

const TYPES: [&str; 7] = ["null", "boolean", "object", "array", "number", "integer", "string"];

pub(super) fn chat(tools: &[Value], found: &mut Vec<String>) {
    if tools.len() > 128 {
        found.push("the number of functions in tools cannot exceed 128".to_owned());
    }
    for function in functions(tools, found) {
        let name = text(function, "name");
        let starts = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        if !starts || name.len() < 3 || !is_word(name, 64, "_-") {
            found.push(format!("function name {name} must match ^[a-zA-Z_][a-zA-Z0-9-_]{{2,63}}$"));
        }
        let root = &function["parameters"];
        let mut reject = |place: &Place<'_>, reason: &str| {
            let path = if place.way.is_empty() { "root".to_owned() } else { place.way.join(".") };
            found.push(format!(
                "tools.function.parameters is not a valid moonshot flavored json schema, details: <At path '{path}': {reason}>"
            ));
        };
        let all = places(root);
        let root_place = &all[0].way.is_empty().then_some(&all[0]);
        if root.get("type").and_then(Value::as_str) != Some("object") {
            reject(root_place.unwrap_or(&all[0]), "parameters.type is required and must be 'object'");
        }
        if root.to_string().len() > 120_000 {
            reject(&all[0], "schema exceeds maximum allowed size");
        }
        if all.iter().map(|place| properties(place.schema).len()).sum::<usize>() > 3_000 {
            reject(&all[0], "total number of properties keys across all objects exceeds maximum limit of 3000");
        }
        for place in &all {
            for reason in schema(root, place) {
                reject(place, &reason);
            }
        }
    }
}

fn schema(root: &Value, place: &Place<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let Some(keywords) = place.schema.as_object() else {
        let is_setting = place.way.last().is_some_and(|step| step == "additionalProperties");
        return if is_setting { found } else { vec!["property schema must be an object".to_owned()] };
    };
    let unsupported: Vec<_> = keywords.keys().filter(|keyword| !SUPPORTED.contains(&keyword.as_str())).collect();
    if !unsupported.is_empty() {
        found.push(format!("unsupported keywords: {unsupported:?}"));
    }
    if keywords.contains_key("$defs") && !place.way.is_empty() {
        found.push("keyword $defs must be at root level".to_owned());
    }
    let has_type = keywords.contains_key("type");
    for (keyword, what) in [("anyOf", "anyOf items"), ("$ref", "the referenced schema")] {
        if has_type && keywords.contains_key(keyword) {
            found.push(format!("when using {keyword}, type should be defined in {what} instead of the parent schema"));
        }
        let beside = |key: &&String| !["anyOf", "$ref", "description", "title", "$defs"].contains(&key.as_str());
        if keywords.contains_key(keyword) && keywords.keys().any(|key| beside(&key)) {
            found.push(format!("a keyword is not allowed at the same level as {keyword}"));
        }
    }
    // `{}` means any value only as `additionalProperties`.
    let is_any = keywords.is_empty() && place.way.last().is_some_and(|step| step == "additionalProperties");
    if !has_type && !is_any && !keywords.contains_key("anyOf") && !keywords.contains_key("$ref") {
        found.push("type is not defined".to_owned());
    }
    if has_type && !keywords["type"].as_str().is_some_and(|name| TYPES.contains(&name)) {
        found.push("invalid type".to_owned());
    }
    if keywords.get("items").is_some_and(|items| !items.is_object()) {
        found.push("items must be an object".to_owned());
    }
    if keywords
        .get("anyOf")
        .is_some_and(|branches| branches.as_array().is_none_or(|all| all.is_empty() || all.len() > 500))
    {
        found.push("anyOf must have 1-500 items".to_owned());
    }
    if let Some(reference) = keywords.get("$ref")
        && (!reference.as_str().is_some_and(|text| text.starts_with("#/$defs/"))
            || target(root, place.schema).is_none())
    {
        found.push("references must start with #/$defs/".to_owned());
    }
    let known = properties(place.schema);
    for key in &known {
        if RESERVED.contains(&key.as_str()) {
            found.push(format!("property name '{key}' is reserved for JSON Schema keywords"));
        }
        if key.contains('/') {
            found.push(format!("$defs property name '{key}' cannot contain '/' character"));
        }
    }
    for name in required(place.schema) {
        if !known.iter().any(|known| *known == name) {
            found.push(format!("required property '{name}' is not defined in properties"));
        }
    }
    if let Some(values) = keywords.get("enum") {
        let values = values.as_array().map_or(&[][..], Vec::as_slice);
        if values.is_empty() || values.len() > 1_000 {
            found.push("enum array cannot be empty, or have more than 1000 items".to_owned());
        }
        let fits = |value: &Value| match text(place.schema, "type") {
            "string" => value.as_str().is_some_and(|text| !text.is_empty()),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            _ => false,
        };
        if let Some(value) = values.iter().find(|value| !fits(value)) {
            found.push(format!("enum value ({value}) does not match any type in {}", text(place.schema, "type")));
        }
    }
    found
}
