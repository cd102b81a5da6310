//! llama.cpp: the conversion of a schema to a grammar.
//!
//! The rules follow `visit` and `_visit_pattern` of
//! <https://github.com/ggml-org/llama.cpp/blob/master/common/json-schema-to-grammar.cpp>, and the escapes of
//! <https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md>.

use serde_json::Value;

use super::others::functions;
use super::walk::{Place, places, target};
use super::{is_word, text};

/// The types that have a rule.
const TYPES: [&str; 7] = ["boolean", "number", "integer", "object", "array", "string", "null"];

pub(super) fn chat(tools: &[Value], found: &mut Vec<String>) {
    for function in functions(tools, found) {
        if !is_word(text(function, "name"), 64, "_-") {
            found.push("the name is not accepted by the clients of OpenAI".to_owned());
        }
        let root = &function["parameters"];
        for place in places(root) {
            // The converter does not visit these schemas.
            if place
                .way
                .iter()
                .any(|step| matches!(&**step, "not" | "if" | "then" | "else" | "contains" | "propertyNames"))
            {
                continue;
            }
            for reason in schema(root, &place) {
                found.push(format!("JSON schema conversion failed: {}: {reason}", place.context()));
            }
        }
    }
}

fn schema(root: &Value, place: &Place<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let Some(keywords) = place.schema.as_object() else {
        let is_setting = place.way.last().is_some_and(|step| step == "additionalProperties");
        return if is_setting { found } else { vec![format!("Unrecognized schema: {}", place.schema)] };
    };
    if keywords.is_empty() {
        found.push("{} becomes the rule of an object, which rejects other values".to_owned());
    }
    if let Some(reference) = keywords.get("$ref") {
        let is_local = reference.as_str().is_some_and(|text| text.starts_with("#/") && !text.contains(['~', '%']));
        if !is_local || target(root, place.schema).is_none() {
            found.push(format!("Unsupported ref: {reference}"));
        }
        return found;
    }
    let types: Vec<&Value> = match keywords.get("type") {
        None => Vec::new(),
        Some(Value::Array(types)) => types.iter().collect(),
        Some(only) => vec![only],
    };
    if types.iter().any(|name| !name.as_str().is_some_and(|name| TYPES.contains(&name))) {
        found.push(format!("Unrecognized schema: {}", place.schema));
    }
    // A list stands for an array with exactly these items.
    for keyword in ["items", "prefixItems"] {
        if keywords.get(keyword).is_some_and(|items| !items.is_object()) {
            found.push(format!("{keyword} must be one schema"));
        }
    }
    if keywords.get("enum").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        found.push("failed to parse grammar: an empty group".to_owned());
    }
    for bound in ["minLength", "maxLength", "minItems", "maxItems"] {
        if keywords.get(bound).and_then(Value::as_f64).is_some_and(|count| count >= 2_000.0) {
            found.push("failed to parse grammar: number of repetitions exceeds sane defaults".to_owned());
        }
    }
    if let Some(pattern) = keywords.get("pattern") {
        found.extend(pattern.as_str().map_or(Some("pattern is not a string"), unconvertible).map(str::to_owned));
    }
    found
}

/// Returns the reason why a pattern cannot be converted.
fn unconvertible(pattern: &str) -> Option<&'static str> {
    if !(pattern.len() > 1 && pattern.starts_with('^') && pattern.ends_with('$')) {
        return Some("Pattern must start with '^' and end with '$'");
    }
    if ["(?=", "(?!", "(?<"].iter().any(|part| pattern.contains(part)) {
        return Some("Unsupported pattern syntax");
    }
    let escapes: Vec<char> = pattern.split('\\').skip(1).filter_map(|after| after.chars().next()).collect();
    // Outside of classes, these characters lose their backslash; a grammar knows the other escapes.
    let is_known = |c: &char| "^$.[]()|{}*+?".contains(*c) || "xuUtrn\"".contains(*c);
    if !escapes.iter().all(is_known) {
        return Some("failed to parse grammar: unknown escape");
    }
    None
}
