//! Gemini: `parametersJsonSchema`, and `parameters` with its subset of `OpenAPI`.

use serde_json::Value;

use super::walk::{places, properties, required, target};
use super::{is_word, text, unknown_keys};

/// The keywords of `Schema`, the type of `parameters`.
const FIELDS: [&str; 23] = [
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "maxItems",
    "minItems",
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "pattern",
    "example",
    "anyOf",
    "propertyOrdering",
    "default",
    "items",
    "minimum",
    "maximum",
    "additionalProperties",
];

fn declaration(index: usize, tool: &Value, field: &str, found: &mut Vec<String>) {
    let place = format!("tools[0].function_declarations[{index}]");
    unknown_keys(tool, &["name", "description", field], &place, found);
    let name = text(tool, "name");
    let starts = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if !starts || !is_word(name, 63, "_.-:") {
        found.push(format!(
            "{place}.name: Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), with a maximum length of 63."
        ));
    }
}

pub(super) fn json_schema(tools: &[Value], found: &mut Vec<String>) {
    for (index, tool) in tools.iter().enumerate() {
        declaration(index, tool, "parametersJsonSchema", found);
        let Some(root) = tool.get("parametersJsonSchema") else { continue };
        let place = format!("tools[0].function_declarations[{index}].parameters_json_schema");
        if root.get("type").and_then(Value::as_str) != Some("object") {
            found.push(format!("{place}: schema should be of type OBJECT"));
        }
        for schema in places(root).iter().map(|place| place.schema).filter_map(Value::as_object) {
            if schema.contains_key("$ref") && schema.keys().any(|keyword| !keyword.starts_with('$')) {
                found.push(format!("{place}: no other properties may be set beside $ref"));
            }
            let values = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
            if values.into_iter().any(|value| value == "" || !value.is_string() && !value.is_number()) {
                found.push(format!("{place}: enum takes strings and numbers"));
            }
        }
        if requires_itself(root) {
            found.push(format!("{place}: cyclic references may only be used within non-required properties"));
        }
    }
}

/// Returns `true` if a cycle of references contains no optional property.
fn requires_itself(root: &Value) -> bool {
    fn visit<'v>(root: &'v Value, schema: &'v Value, open: &mut Vec<*const Value>, budget: &mut usize) -> bool {
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        if let Some(target) = target(root, schema) {
            if open.contains(&std::ptr::from_ref(target)) {
                return true;
            }
            open.push(std::ptr::from_ref(target));
            let found = visit(root, target, open, budget);
            open.pop();
            return found;
        }
        let required = required(schema);
        let named = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let named = named.filter(|(name, _)| required.contains(&name.as_str())).map(|(_, schema)| schema);
        let branches = ["anyOf", "oneOf"].into_iter().filter_map(|keyword| schema.get(keyword)?.as_array()).flatten();
        named.chain(branches).chain(schema.get("items")).any(|part| visit(root, part, open, budget))
    }
    let mut budget = 100_000;
    let definitions = root.get("$defs").and_then(Value::as_object).into_iter().flat_map(|named| named.values());
    std::iter::once(root)
        .chain(definitions)
        .any(|schema| visit(root, schema, &mut vec![std::ptr::from_ref(schema)], &mut budget))
}

pub(super) fn open_api(tools: &[Value], found: &mut Vec<String>) {
    for (index, tool) in tools.iter().enumerate() {
        declaration(index, tool, "parameters", found);
        let Some(root) = tool.get("parameters") else { continue };
        let place = format!("GenerateContentRequest.tools[0].function_declarations[{index}].parameters");
        if root.get("type").and_then(Value::as_str) != Some("object") {
            found.push(format!("{place}: schema should be of type OBJECT"));
        }
        for at in places(root) {
            let place = format!("{place}.{}", at.way.join("."));
            let Some(schema) = at.schema.as_object() else {
                found.push(format!("{place}: Proto field is not repeating, cannot start list."));
                continue;
            };
            field(at.schema, schema, &place, found);
        }
    }
}

fn field(schema: &Value, keywords: &serde_json::Map<String, Value>, place: &str, found: &mut Vec<String>) {
    for keyword in keywords.keys().filter(|keyword| !FIELDS.contains(&keyword.as_str())) {
        found.push(format!(
            "Invalid JSON payload received. Unknown name \"{keyword}\" at '{place}': Cannot find field."
        ));
    }
    if keywords.contains_key("anyOf") {
        if keywords.len() > 1 {
            found.push(format!("{place}: schema specified other fields alongside any_of. When using any_of, it must be the only field set."));
        }
        return;
    }
    let Some(json_type) = schema.get("type").and_then(Value::as_str) else {
        return found.push(format!("{place}.type: must be specified"));
    };
    if !["string", "number", "integer", "boolean", "array", "object"].contains(&json_type) {
        found.push(format!(
            "Invalid value at '{place}.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type)"
        ));
    }
    if json_type == "object" && properties(schema).is_empty() {
        found.push(format!("{place}.properties: should be non-empty for OBJECT type"));
    }
    if json_type == "array" && schema.get("items").is_none() {
        found.push(format!("{place}.items: missing field."));
    }
    let known = properties(schema);
    for (index, name) in required(schema).iter().enumerate() {
        if !known.iter().any(|known| known == name) {
            found.push(format!("{place}.required[{index}]: property is not defined"));
        }
    }
    for key in known {
        let starts = key.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        if !starts || !is_word(key, 64, "_") {
            found.push(format!("{place}.properties: invalid parameter name {key}"));
        }
    }
    if let Some(values) = schema.get("enum") {
        if json_type != "string" {
            found.push(format!("{place}.enum: only allowed for STRING type"));
        }
        for (index, _) in values.as_array().into_iter().flatten().enumerate().filter(|(_, value)| *value == "") {
            found.push(format!("{place}.enum[{index}]: cannot be empty"));
        }
        if values.as_array().is_none_or(|values| values.is_empty() || !values.iter().all(Value::is_string)) {
            found.push(format!("Invalid value at '{place}.enum' (TYPE_STRING)"));
        }
    }
    match (json_type, schema.get("format").and_then(Value::as_str)) {
        ("string", Some(format)) if !["enum", "date-time"].contains(&format) => {
            found.push(format!("{place}.format: only 'enum' and 'date-time' are supported for STRING type"));
        }
        _ => {}
    }
}
