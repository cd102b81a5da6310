//! The check of `x-mcp-header` in a schema: [`x_mcp_header_issue`].

use std::collections::HashSet;

use serde_json::{Map, Value};

const HEADER: &str = "x-mcp-header";

/// Returns the first issue in the headers of a schema. The name of a header must be a token as defined by HTTP, and be used only once. Its
/// property must be a string, an integer or a boolean, and be reached through `properties` alone.
pub(super) fn x_mcp_header_issue(schema: &Map<String, Value>) -> Option<String> {
    if schema.contains_key(HEADER) {
        return Some("the schema itself has an `x-mcp-header`, which belongs to a property".to_owned());
    }
    let mut names = HashSet::new();
    members(schema, "", true, &mut names)
}

/// Checks the headers inside a schema. The recursion is bounded, because the parser bounds the nesting of JSON.
fn members(schema: &Map<String, Value>, path: &str, is_reached: bool, names: &mut HashSet<String>) -> Option<String> {
    schema.iter().find_map(|(keyword, value)| match (&**keyword, value) {
        // The values of these keywords are not schemas.
        ("const" | "enum" | "default" | "examples" | "required" | "dependentRequired", _) => None,
        ("properties", Value::Object(properties)) => properties.iter().find_map(|(name, property)| {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let keywords = property.as_object()?;
            let own = keywords.get(HEADER).and_then(|header| fault(header, keywords, &path, is_reached, names));
            own.or_else(|| members(keywords, &path, is_reached, names))
        }),
        (
            "$defs" | "definitions" | "dependentSchemas" | "patternProperties" | "dependencies",
            Value::Object(schemas),
        ) => schemas.iter().find_map(|(name, schema)| elsewhere(schema, &format!("{keyword}/{name}"), names)),
        _ => elsewhere(value, keyword, names),
    })
}

/// Checks a value that is not reached through `properties` alone.
fn elsewhere(value: &Value, path: &str, names: &mut HashSet<String>) -> Option<String> {
    match value {
        Value::Object(schema) if schema.contains_key(HEADER) => Some(unreached(path)),
        Value::Object(schema) => members(schema, path, false, names),
        Value::Array(values) => values.iter().find_map(|value| elsewhere(value, path, names)),
        _ => None,
    }
}

fn unreached(path: &str) -> String {
    format!("{path}: `x-mcp-header` is only allowed on properties that are reached through `properties` alone")
}

fn fault(
    header: &Value,
    keywords: &Map<String, Value>,
    path: &str,
    is_reached: bool,
    names: &mut HashSet<String>,
) -> Option<String> {
    if !is_reached {
        return Some(unreached(path));
    }
    let is_in_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let fault = match header.as_str() {
        None => "is not a string".to_owned(),
        Some(name) if name.is_empty() || !name.bytes().all(is_in_token) => {
            format!("{name:?} is not the name of a header")
        }
        Some(name) if !names.insert(name.to_ascii_lowercase()) => {
            format!("{name:?} is the header of another property too")
        }
        Some(_) => match keywords.get("type").and_then(Value::as_str) {
            Some("string" | "integer" | "boolean") => return None,
            _ => "is only allowed for strings, integers and booleans".to_owned(),
        },
    };
    Some(format!("{path}: `x-mcp-header` {fault}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_fault_is_explained() {
        for (schema, fault) in [
            (json!({"properties": {"a": {"type": "string", "x-mcp-header": "Region"}}}), None),
            (json!({"properties": {"a": {"properties": {"b": {"type": "integer", "x-mcp-header": "N"}}}}}), None),
            (json!({"properties": {"x-mcp-header": {"type": "string"}}, "required": ["x-mcp-header"]}), None),
            (json!({"default": {"x-mcp-header": ""}}), None),
            (json!({"x-mcp-header": "A"}), Some("the schema itself has")),
            (
                json!({"properties": {"a": {"type": "string", "x-mcp-header": ""}}}),
                Some("a: `x-mcp-header` \"\" is not the name"),
            ),
            (
                json!({"properties": {"a": {"type": "string", "x-mcp-header": "b:c"}}}),
                Some("a: `x-mcp-header` \"b:c\" is not"),
            ),
            (
                json!({"properties": {"a": {"type": "string", "x-mcp-header": 5}}}),
                Some("a: `x-mcp-header` is not a string"),
            ),
            (
                json!({"properties": {"a": {"type": "number", "x-mcp-header": "N"}}}),
                Some("a: `x-mcp-header` is only allowed for"),
            ),
            (
                json!({"properties": {"a": {"type": "string", "x-mcp-header": "N"}, "b": {"properties": {"c": {"type": "string", "x-mcp-header": "n"}}}}}),
                Some("b.c: `x-mcp-header` \"n\" is the header of another"),
            ),
            (
                json!({"properties": {"a": {"items": {"type": "string", "x-mcp-header": "N"}}}}),
                Some("items: `x-mcp-header` is only allowed on"),
            ),
            (
                json!({"$defs": {"default": {"type": "string", "x-mcp-header": "N"}}}),
                Some("$defs/default: `x-mcp-header`"),
            ),
            (
                json!({"oneOf": [{"properties": {"a": {"type": "string", "x-mcp-header": "N"}}}]}),
                Some("oneOf.a: `x-mcp-header`"),
            ),
        ] {
            let found = schema.as_object().and_then(x_mcp_header_issue);
            match fault {
                None => assert_eq!(found, None, "{schema}"),
                Some(start) => assert_eq!(found.as_deref().and_then(|found| found.get(..start.len())), Some(start)),
            }
        }
    }
}
