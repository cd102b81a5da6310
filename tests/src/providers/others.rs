//! Mistral, Ollama, servers with an API like Chat Completions, and MCP.

use serde_json::Value;

use super::walk::{places, properties};
use super::{is_word, openai, text};

/// Checks the envelope of Chat Completions.
pub(super) fn functions<'v>(tools: &'v [Value], found: &mut Vec<String>) -> Vec<&'v Value> {
    let mut functions = Vec::new();
    for (index, tool) in tools.iter().enumerate() {
        match tool.get("function") {
            Some(function)
                if text(tool, "type") == "function" && function.get("parameters").is_some_and(Value::is_object) =>
            {
                functions.push(function);
            }
            _ => found.push(format!("body.tools.{index}.function: Field required")),
        }
    }
    functions
}

pub(super) fn mistral(tools: &[Value], found: &mut Vec<String>) {
    for function in functions(tools, found) {
        if !is_word(text(function, "name"), 64, "_-") {
            found.push(
                "Function name must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64."
                    .to_owned(),
            );
        }
        if function.get("strict").is_some_and(|strict| !strict.is_boolean()) {
            found.push("strict: Input should be a valid boolean".to_owned());
        }
    }
}

/// vLLM accepts any schema; a tool with `strict` needs the envelope of `OpenAI`.
pub(super) fn vllm(tools: &[Value], found: &mut Vec<String>) {
    let functions = functions(tools, found);
    let strict: Vec<Value> = functions
        .iter()
        .zip(tools)
        .filter(|(function, _)| function.get("strict") == Some(&Value::Bool(true)))
        .map(|(_, tool)| tool.clone())
        .collect();
    openai::chat(&strict, found);
}

/// Ollama decodes a definition into a Go type, and rejects the request if that fails.
pub(super) fn ollama(tools: &[Value], found: &mut Vec<String>) {
    for function in functions(tools, found) {
        let parameters = &function["parameters"];
        let mut reject = |field: &str, kind: &str| {
            found.push(format!("json: cannot unmarshal value into Go struct field {field} of type {kind}"));
        };
        if !parameters.get("type").is_some_and(Value::is_string) {
            reject("ToolFunctionParameters.type", "string");
        }
        if !parameters.get("required").is_none_or(is_strings) {
            reject("ToolFunctionParameters.required", "[]string");
        }
        let own = parameters.get("properties").and_then(Value::as_object).into_iter().flat_map(|named| named.values());
        let mut waiting: Vec<&Value> = own.collect();
        while let Some(property) = waiting.pop() {
            if !property.is_object() {
                reject("ToolProperty", "api.ToolProperty");
                continue;
            }
            if !property.get("type").is_none_or(|named| named.is_string() || is_strings(named)) {
                reject("ToolProperty.type", "api.PropertyType");
            }
            if !property.get("description").is_none_or(Value::is_string) {
                reject("ToolProperty.description", "string");
            }
            if !property.get("enum").is_none_or(Value::is_array) {
                reject("ToolProperty.enum", "[]any");
            }
            match property.get("anyOf") {
                None => {}
                Some(Value::Array(parts)) => waiting.extend(parts),
                Some(_) => reject("ToolProperty.anyOf", "[]api.ToolProperty"),
            }
            match property.get("properties") {
                None => {}
                Some(Value::Object(named)) => waiting.extend(named.values()),
                Some(_) => reject("ToolProperty.properties", "map[string]api.ToolProperty"),
            }
        }
    }
}

fn is_strings(value: &Value) -> bool {
    value.as_array().is_some_and(|items| items.iter().all(Value::is_string))
}

/// MCP: the root is an object, references are local, and a tool with an invalid `x-mcp-header` is dropped.
pub(super) fn mcp(tools: &[Value], found: &mut Vec<String>) {
    for tool in tools {
        if !is_word(text(tool, "name"), 128, "_.-") {
            found.push("Tool names SHOULD be 1 to 128 of A-Z, a-z, 0-9, underscore, hyphen, and dot".to_owned());
        }
        let Some(schema) = tool.get("inputSchema") else {
            found.push("inputSchema is required".to_owned());
            continue;
        };
        if schema.get("type").and_then(Value::as_str) != Some("object") {
            found.push("inputSchema must be an object schema with \"type\": \"object\"".to_owned());
        }
        for place in places(schema) {
            if place.schema.get("$ref").and_then(Value::as_str).is_some_and(|reference| !reference.starts_with('#')) {
                found.push("a $ref MUST NOT be dereferenced over the network".to_owned());
            }
            for key in properties(place.schema) {
                let property = &place.schema["properties"][key];
                let Some(header) = property.get("x-mcp-header") else { continue };
                let by_properties = place.way.iter().step_by(2).all(|step| step == "properties");
                let takes = ["string", "integer", "boolean"].map(Value::from).contains(&property["type"]);
                if !by_properties
                    || !takes
                    || !header.as_str().is_some_and(|name| is_word(name, 128, "!#$%&'*+-.^_`|~"))
                {
                    found.push(format!("x-mcp-header on {key} is invalid: clients MUST drop the tool"));
                }
            }
        }
    }
}
