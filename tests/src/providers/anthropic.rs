//! Anthropic Messages, and Bedrock Converse in front of it.

use serde_json::Value;

use super::walk::{is_circular, names_type, places, properties, required, target};
use super::{invalid, is_word, text, unknown_keys};

const KEY: &str = "^[a-zA-Z0-9_.-]{1,64}$";

const FORMATS: [&str; 10] =
    ["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];

/// The keys of a definition.
const FIELDS: [&str; 10] = [
    "type",
    "name",
    "description",
    "input_schema",
    "strict",
    "input_examples",
    "defer_loading",
    "allowed_callers",
    "cache_control",
    "eager_input_streaming",
];

/// The keywords that a grammar supports.
const SUPPORTED: [&str; 15] = [
    "type",
    "description",
    "enum",
    "const",
    "anyOf",
    "allOf",
    "$ref",
    "$defs",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "default",
    "format",
    "minItems",
];

pub(super) fn messages(tools: &[Value], found: &mut Vec<String>) {
    let mut strict = Vec::new();
    for (index, tool) in tools.iter().enumerate() {
        let place = format!("tools.{index}.custom");
        unknown_keys(tool, &FIELDS, &place, found);
        if !is_word(text(tool, "name"), 128, "_-") {
            found.push(format!("{place}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"));
        }
        input(tool.get("input_schema"), &place, found);
        if tool.get("strict") == Some(&Value::Bool(true)) {
            strict.extend(tool.get("input_schema").map(|schema| (place, schema)));
        }
    }
    grammars(&strict, found);
}

pub(super) fn converse(tools: &[Value], found: &mut Vec<String>) {
    let mut strict = Vec::new();
    for (index, tool) in tools.iter().enumerate() {
        let place = format!("toolConfig.tools.{index}.toolSpec");
        unknown_keys(tool, &["toolSpec"], &place, found);
        let spec = tool.get("toolSpec").unwrap_or(&Value::Null);
        unknown_keys(spec, &["name", "description", "inputSchema", "strict"], &place, found);
        if !is_word(text(spec, "name"), 64, "_-") {
            found.push(format!("{place}.name: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+"));
        }
        if spec.get("description").is_some() && text(spec, "description").is_empty() {
            found.push(format!("Invalid length for parameter {place}.description, value: 0, valid min length: 1"));
        }
        let schema = spec.pointer("/inputSchema/json");
        input(schema, &format!("tools.{index}.custom"), found);
        if spec.get("strict") == Some(&Value::Bool(true)) {
            strict.extend(schema.map(|schema| (place, schema)));
        }
    }
    grammars(&strict, found);
}

/// Checks the rules for every schema.
fn input(schema: Option<&Value>, place: &str, found: &mut Vec<String>) {
    let Some(schema) = schema else {
        return found.push(format!("{place}.input_schema: Field required"));
    };
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        found.push(format!("{place}.input_schema.type: Input should be 'object'"));
    }
    if ["oneOf", "allOf", "anyOf"].iter().any(|keyword| schema.get(keyword).is_some()) {
        found.push(format!(
            "{place}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level"
        ));
    }
    if let Some(reason) = invalid(schema) {
        found.push(format!(
            "{place}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12: {reason}"
        ));
    }
    for key in properties(schema) {
        if !is_word(key, 64, "_.-") {
            found.push(format!("{place}.input_schema.properties: Property keys should match pattern '{KEY}'"));
        }
    }
}

/// Checks the rules for grammars: for each strict schema, and for all of them together.
fn grammars(strict: &[(String, &Value)], found: &mut Vec<String>) {
    let (mut optionals, mut unions) = (0, 0);
    for (place, root) in strict {
        for schema in places(root).iter().map(|place| place.schema) {
            grammar(root, schema, place, found);
        }
        if is_circular(root) {
            found.push(format!("{place}.input_schema: Circular reference detected in schema definitions"));
        } else {
            count(root, root, &mut optionals, &mut unions);
        }
    }
    if strict.len() > 20 {
        found.push(format!("Too many strict tools ({}): the limit is 20", strict.len()));
    }
    if optionals > 24 {
        found.push(format!(
            "Schemas contains too many optional parameters ({optionals}), which would make grammar compilation inefficient. (limit: 24)"
        ));
    }
    if unions > 16 {
        found.push(format!(
            "Schemas contains too many parameters with union types ({unions} parameters with type arrays or anyOf) which exceeds the limit: 16"
        ));
    }
}

fn grammar(root: &Value, schema: &Value, place: &str, found: &mut Vec<String>) {
    let mut reject = |reason: String| found.push(format!("{place}.input_schema: {reason}"));
    let Some(keywords) = schema.as_object() else {
        if schema != &Value::Bool(false) {
            reject("Schema must be an object".to_owned());
        }
        return;
    };
    let json_type = schema.get("type").and_then(Value::as_str).unwrap_or("union");
    for keyword in keywords.keys().filter(|keyword| !SUPPORTED.contains(&keyword.as_str())) {
        reject(format!("For '{json_type}' type, property '{keyword}' is not supported"));
    }
    if keywords.contains_key("$ref") && target(root, schema).is_none() {
        reject("External or unresolvable $ref".to_owned());
    }
    if !["type", "$ref", "anyOf", "allOf", "enum", "const"].iter().any(|keyword| keywords.contains_key(*keyword)) {
        reject("Schema must have a 'type', 'anyOf', 'oneOf', or 'allOf' field".to_owned());
    }
    if names_type(schema, "object") && schema.get("additionalProperties") != Some(&Value::Bool(false)) {
        reject("For 'object' type, 'additionalProperties' must be explicitly set to false".to_owned());
    }
    if names_type(schema, "array") && !schema.get("items").is_some_and(Value::is_object) {
        reject("For 'array' type, 'items' is required".to_owned());
    }
    if schema.get("minItems").is_some_and(|least| least.as_u64().is_none_or(|least| least > 1)) {
        reject("For 'array' type, 'minItems' values other than 0 or 1 are not supported".to_owned());
    }
    if let Some(format) = schema.get("format").and_then(Value::as_str)
        && !FORMATS.contains(&format)
    {
        reject(format!("For 'string' type, format '{format}' is not supported"));
    }
    let values = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    if values.chain(schema.get("const")).any(|value| value.is_array() || value.is_object()) {
        reject("Enum values must be primitives".to_owned());
    }
    let parts = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
    if parts.into_iter().any(|part| part.get("$ref").is_some()) {
        reject("allOf with $ref is not supported".to_owned());
    }
}

/// Counts optional parameters and unions; a definition counts once for each use.
fn count(root: &Value, schema: &Value, optionals: &mut usize, unions: &mut usize) {
    if *optionals > 1_000 || *unions > 1_000 {
        return;
    }
    if let Some(target) = target(root, schema) {
        return count(root, target, optionals, unions);
    }
    let required = required(schema);
    *optionals += properties(schema).iter().filter(|name| !required.contains(&name.as_str())).count();
    *unions += usize::from(schema.get("anyOf").is_some() || schema.get("type").is_some_and(Value::is_array));
    let named = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(|named| named.values());
    let branches = schema.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    for part in named.chain(branches).chain(schema.get("items")) {
        count(root, part, optionals, unions);
    }
}
