//! Recorded calls in JSON Lines.
//!
//! A line is `{id?, tool | name, tool_ref?, arguments | raw}`, or a call in the format of `OpenAI`. A line of a recording can also be a list of
//! tools, and a call in it has a verdict.
//!
//! Invariant: the arguments are kept as the text that the model sent, including repeated keys.

use tool_runtime::tool_schema::json::{Json, Node};

/// A recorded call.
pub(super) struct Call {
    /// The id as the JSON text in the line.
    pub(super) id: String,
    pub(super) tool: Option<String>,
    /// The `ref` of the tool. It takes precedence over the name.
    pub(super) tool_ref: Option<String>,
    /// The arguments as text.
    pub(super) arguments: String,
    /// The recorded verdict on a call whose arguments are not all recorded; `None` for other calls.
    pub(super) kept: Option<String>,
}

/// Parses a call from a line; `None` if the line is a list of tools.
pub(super) fn read(line: &str) -> Result<Option<Call>, String> {
    let json = Json::parse(line).map_err(|error| error.to_string())?;
    if !matches!(json.node, Node::Object(_)) {
        return Err(format!("a call is an object, not {}", json.json_type()));
    }
    if json.get("tools").is_some_and(|tools| matches!(tools.node, Node::Array(_))) && json.get("tool").is_none() {
        return Ok(None);
    }
    let is_redacted = json.get("redacted").is_some_and(|redacted| matches!(redacted.node, Node::Bool(true)));
    let kept = if is_redacted { word(&json, "verdict")? } else { None };
    let function = json.get("function").filter(|function| matches!(function.node, Node::Object(_))).unwrap_or(&json);
    let tool = word(function, "tool")?.map_or_else(|| word(function, "name"), |tool| Ok(Some(tool)))?;
    let tool_ref = word(&json, "tool_ref")?;
    if tool.is_none() && tool_ref.is_none() {
        return Err("a call must name its tool with `tool`, `name` or `tool_ref`".to_owned());
    }
    Ok(Some(Call { id: id(line, &json)?, tool, tool_ref, arguments: arguments(line, function)?, kept }))
}

/// Returns the `id` of a line as JSON text, or `null` if it has none.
pub(super) fn id(line: &str, json: &Json<'_>) -> Result<String, String> {
    match json.get("id") {
        None => Ok("null".to_owned()),
        Some(id) if matches!(id.node, Node::Array(_) | Node::Object(_)) => {
            Err(format!("id is {}, not a string", id.json_type()))
        }
        Some(id) => Ok(line[id.span.start as usize..id.span.end as usize].to_owned()),
    }
}

fn word(json: &Json<'_>, key: &str) -> Result<Option<String>, String> {
    match json.get(key).map(|value| &value.node) {
        None | Some(Node::Null) => Ok(None),
        Some(Node::String(word)) => Ok(Some(word.to_string())),
        Some(Node::Number(word)) if key == "tool_ref" => Ok(Some(word.to_string())),
        Some(_) => Err(format!("{key} is not a string")),
    }
}

fn arguments(line: &str, call: &Json<'_>) -> Result<String, String> {
    match (call.get("raw"), call.get("arguments")) {
        (Some(raw), _) => match &raw.node {
            Node::String(text) => Ok(text.to_string()),
            Node::Null => Ok(String::new()),
            _ => Err("raw is not a string; parsed arguments belong in `arguments`".to_owned()),
        },
        (None, Some(arguments)) => Ok(match &arguments.node {
            Node::String(text) => text.to_string(),
            _ => line[arguments.span.start as usize..arguments.span.end as usize].to_owned(),
        }),
        (None, None) => Ok(String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(line: &str) -> Result<Call, String> {
        read(line)?.ok_or_else(|| "a list of tools".to_owned())
    }

    #[test]
    fn arguments_remain_the_text_that_was_sent() -> Result<(), String> {
        assert_eq!(call(r#"{"tool": "a", "arguments": {"x": 1.0, "x": 2}}"#)?.arguments, r#"{"x": 1.0, "x": 2}"#);
        assert_eq!(call(r#"{"name": "a", "arguments": "{'x'"}"#)?.arguments, "{'x'");
        assert_eq!(call(r#"{"tool_ref": 7, "raw": ""}"#)?.tool_ref.as_deref(), Some("7"));
        assert_eq!(call(r#"{"id": 7, "type": "function", "function": {"name": "a", "arguments": "{}"}}"#)?.id, "7");
        Ok(())
    }

    #[test]
    fn the_error_for_an_invalid_call_names_the_reason() {
        let reason = |line| read(line).err().unwrap_or_default();
        assert_eq!(reason("[]"), "a call is an object, not array");
        assert_eq!(reason(r#"{"arguments": {}}"#), "a call must name its tool with `tool`, `name` or `tool_ref`");
        assert_eq!(
            reason(r#"{"tool": "a", "raw": {}}"#),
            "raw is not a string; parsed arguments belong in `arguments`"
        );
    }
}
