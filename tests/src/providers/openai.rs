//! `OpenAI`: `FunctionObject` and `FunctionTool`, and the rules of strict mode.

use serde_json::Value;

use super::walk::{Place, names_type, places, properties, required, target};
use super::{is_word, text, unknown_keys};

/// The keywords of strict mode. Any other keyword causes status 400 for the whole request.
const PERMITTED: [&str; 20] = [
    "type",
    "description",
    "enum",
    "const",
    "anyOf",
    "$ref",
    "$defs",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "pattern",
    "format",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minItems",
    "maxItems",
];

const FORMATS: [&str; 9] = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

pub(super) fn chat(tools: &[Value], found: &mut Vec<String>) {
    for (index, tool) in tools.iter().enumerate() {
        unknown_keys(tool, &["type", "function"], &format!("tools[{index}]"), found);
        let Some(function) = tool.get("function").filter(|_| text(tool, "type") == "function") else {
            found.push(format!("Missing required parameter: 'tools[{index}].function'."));
            continue;
        };
        let place = format!("tools[{index}].function");
        unknown_keys(function, &["name", "description", "parameters", "strict"], &place, found);
        judge(function, &place, false, found);
    }
}

pub(super) fn responses(tools: &[Value], found: &mut Vec<String>) {
    for (index, tool) in tools.iter().enumerate() {
        let place = format!("tools[{index}]");
        unknown_keys(tool, &["type", "name", "description", "parameters", "strict"], &place, found);
        if text(tool, "type") != "function" {
            found.push(format!("Invalid value for '{place}.type'."));
        }
        if tool.get("strict").is_none() {
            found.push(format!("{place} has no `strict`, so its default depends on the schema"));
        }
        judge(tool, &place, true, found);
    }
}

fn judge(function: &Value, place: &str, says_strict: bool, found: &mut Vec<String>) {
    let name = text(function, "name");
    if !is_word(name, 64, "_-") {
        found.push(format!(
            "Invalid '{place}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
        ));
    }
    let strict = match function.get("strict") {
        None if !says_strict => false,
        Some(Value::Bool(strict)) => *strict,
        _ => {
            found.push(format!("Invalid type for '{place}.strict': expected a boolean."));
            false
        }
    };
    let Some(schema) = function.get("parameters") else { return };
    let mut invalid = |reason: &str| found.push(format!("Invalid schema for function '{name}': {reason}"));
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        invalid("schema must be a JSON Schema of 'type: \"object\"', got 'type: \"None\"'.");
    }
    for keyword in ["oneOf", "anyOf", "allOf", "enum", "not"] {
        if schema.get(keyword).is_some() {
            invalid(
                "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.",
            );
        }
    }
    if let Some(reason) = super::invalid(schema) {
        invalid(&reason);
    }
    for place in places(schema) {
        if names_type(place.schema, "array") && place.schema.get("items").is_none() {
            invalid(&format!("{}, array schema missing items.", place.context()));
        }
    }
    if strict {
        for place in places(schema) {
            for reason in strict_rejections(schema, &place) {
                invalid(&format!("{}, {reason}", place.context()));
            }
        }
        for reason in limits(schema) {
            invalid(&reason);
        }
    }
}

fn strict_rejections(root: &Value, place: &Place<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let Some(schema) = place.schema.as_object() else {
        // `additionalProperties: false` is a keyword and not a schema.
        let is_keyword = place.way.last().is_some_and(|step| step == "additionalProperties");
        return if is_keyword { found } else { vec!["schema must be an object.".to_owned()] };
    };
    for keyword in schema.keys().filter(|keyword| !PERMITTED.contains(&keyword.as_str())) {
        found.push(format!("'{keyword}' is not permitted."));
    }
    if schema.contains_key("$ref") {
        if schema.len() > 1 && !place.way.is_empty() {
            found.push("$ref cannot have keywords {'description'}.".to_owned());
        }
        if target(root, place.schema).is_none() {
            found.push("reference to component which was not found.".to_owned());
        }
        return found;
    }
    if !schema.contains_key("type") && !schema.contains_key("anyOf") {
        found.push("schema must have a 'type' key.".to_owned());
    }
    if names_type(place.schema, "object") {
        if schema.get("additionalProperties") != Some(&Value::Bool(false)) {
            found.push("'additionalProperties' is required to be supplied and to be false.".to_owned());
        }
        let required = required(place.schema);
        for name in properties(place.schema) {
            if !required.contains(&name.as_str()) {
                found.push(format!(
                    "'required' is required to be supplied and to be an array including every key in properties. Missing '{name}'."
                ));
            }
        }
        let known = properties(place.schema);
        if let Some(extra) = required.iter().find(|name| !known.iter().any(|known| known == *name)) {
            found.push(format!("'required' has the extra key '{extra}'."));
        }
    }
    if names_type(place.schema, "array") && !schema.get("items").is_some_and(Value::is_object) {
        found.push("array schema missing items.".to_owned());
    }
    if let Some(format) = schema.get("format").and_then(Value::as_str)
        && !FORMATS.contains(&format)
    {
        found.push(format!("'{format}' is not a valid format."));
    }
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str)
        && ["(?=", "(?!", "(?<"].iter().any(|part| pattern.contains(part))
    {
        found.push("regex lookaround is not supported.".to_owned());
    }
    if schema.get("enum").is_some_and(|values| values.as_array().is_none_or(Vec::is_empty)) {
        found.push("'enum' must not be empty.".to_owned());
    }
    found
}

/// Checks the limits of the guide: properties, levels, characters, values.
fn limits(root: &Value) -> Vec<String> {
    let (mut count, mut characters, mut values) = (0, 0, 0);
    let mut found = Vec::new();
    let length = |value: &Value| value.as_str().map_or_else(|| value.to_string().len(), |text| text.chars().count());
    for place in places(root) {
        for keyword in ["properties", "$defs"] {
            for name in place.schema.get(keyword).and_then(Value::as_object).into_iter().flat_map(|named| named.keys())
            {
                count += usize::from(keyword == "properties");
                characters += name.chars().count();
            }
        }
        let listed = place.schema.get("enum").and_then(Value::as_array);
        let own: usize = listed.into_iter().flatten().map(length).sum();
        let number = listed.map_or(0, Vec::len);
        values += number;
        characters += own + place.schema.get("const").map_or(0, length);
        if number > 250 && own > 15_000 {
            found.push(format!("enum has {own} characters, and may have 15000 when it has more than 250 values."));
        }
    }
    for (number, limit, what) in
        [(count, 5_000, "properties"), (characters, 120_000, "characters"), (values, 1_000, "enum values")]
    {
        if number > limit {
            found.push(format!("schema exceeds the maximum of {limit} {what}: {number}."));
        }
    }
    if levels(root, root, 0) > 10 {
        found.push("schema exceeds the maximum nesting depth of 10.".to_owned());
    }
    found
}

/// Returns the number of nested objects and arrays. References are followed up to the limit, but not in cycles.
fn levels(root: &Value, schema: &Value, depth: usize) -> usize {
    fn below<'v>(root: &'v Value, schema: &'v Value, open: &mut Vec<*const Value>) -> usize {
        if open.contains(&std::ptr::from_ref(schema)) || open.len() > 40 {
            return 0;
        }
        open.push(std::ptr::from_ref(schema));
        let mut deepest = 0;
        if let Some(target) = target(root, schema) {
            deepest = below(root, target, open);
        }
        for branch in schema.get("anyOf").and_then(Value::as_array).into_iter().flatten() {
            deepest = deepest.max(below(root, branch, open));
        }
        let own = names_type(schema, "object") || names_type(schema, "array");
        let parts = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(|named| named.values());
        for part in parts.chain(schema.get("items")) {
            deepest = deepest.max(below(root, part, open) + 1);
        }
        open.pop();
        deepest.max(usize::from(own))
    }
    depth + below(root, schema, &mut Vec::new())
}
