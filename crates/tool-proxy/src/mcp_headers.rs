//! The headers of an HTTP request with an MCP message, some of which repeat parts of the message in protocol version 2026-07-28, and media types.

use serde_json::Value;

use crate::members::parsed;

/// Media types.
pub(super) const JSON: &str = "application/json";
pub(super) const STREAM: &str = "text/event-stream";

/// The header that names the protocol version.
pub(super) const VERSION_HEADER: &str = "mcp-protocol-version";
/// The header with the last event that a client has got.
pub(super) const LAST_EVENT: &str = "last-event-id";
/// The headers with the method, and with the name of what the method uses.
pub(super) const METHOD_HEADER: &str = "Mcp-Method";
const NAME_HEADER: &str = "Mcp-Name";
/// The beginning of the headers with arguments.
const PARAM_PREFIX: &str = "Mcp-Param-";

/// Returns `true` if a media type with parameters is the one without.
pub(super) fn is_media_type(value: &str, kind: &str) -> bool {
    let end = value.find(';').unwrap_or(value.len());
    value[..end].trim_ascii().eq_ignore_ascii_case(kind)
}

/// Passes each header that a request or notification needs to a function, with its value; `None` if the header must be left out. `arguments` are those
/// that headers repeat.
pub(super) fn repeated_headers<E>(
    method: &str,
    params: &str,
    arguments: &[ArgumentHeader],
    mut header: impl FnMut(&str, Option<&str>) -> Result<(), E>,
) -> Result<(), E> {
    header(METHOD_HEADER, Some(method))?;
    if let Some(name) = parsed::<String>(params, name_parameter(method)) {
        header(NAME_HEADER, Some(&name))?;
    }
    if arguments.is_empty() {
        return Ok(());
    }
    let values: Value = parsed(params, "arguments").unwrap_or_default();
    let mut arguments = arguments.iter();
    arguments
        .try_for_each(|(path, name)| header(&[PARAM_PREFIX, name].concat(), header_value(&values, path).as_deref()))
}

/// Returns the parameter of a method whose value the header [`NAME_HEADER`] repeats; empty if there is none.
fn name_parameter(method: &str) -> &'static str {
    match method {
        "tools/call" | "prompts/get" => "name",
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => "uri",
        "tasks/get" | "tasks/update" | "tasks/cancel" => "taskId",
        _ => "",
    }
}

/// Returns the argument at a path as a header repeats it; `None` if the header is left out.
fn header_value(arguments: &Value, path: &[String]) -> Option<String> {
    match path.iter().try_fold(arguments, |value, key| value.get(key))? {
        Value::String(text) => Some(text.clone()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The path of an argument, and the name of the header that repeats its value.
pub(super) type ArgumentHeader = (Vec<String>, String);

/// Returns the arguments that headers repeat, given a schema.
pub(super) fn argument_headers(schema: &str) -> Vec<ArgumentHeader> {
    let (schema, mut headers) = (serde_json::from_str::<Value>(schema).unwrap_or_default(), Vec::new());
    let mut open = vec![(Vec::new(), &schema)];
    while let Some((path, schema)) = open.pop() {
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let path: Vec<String> = path.iter().chain([name]).cloned().collect();
            if let Some(header) = property["x-mcp-header"].as_str().filter(|header| !header.is_empty()) {
                headers.push((path.clone(), header.to_owned()));
            }
            open.push((path, property));
        }
    }
    headers
}
