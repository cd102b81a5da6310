//! The members by which requests and results of revision 2026-07-28 differ from those of earlier revisions.

use super::super::members::Members;
use super::super::writing::json_object;
use super::flow::{CAPABILITIES, CLIENT, MODERN, VERSION, members};

/// Returns the parameters of `server/discover` for a client that has sent `initialize`, which are also the members of `_meta` of each request.
pub(super) fn info(initialize: &str) -> String {
    let hello = members(initialize);
    json_object(|meta| {
        meta.string(VERSION, MODERN);
        if let Some(client) = hello.get("clientInfo") {
            meta.written(CLIENT, client);
        }
        let mut capabilities = hello.get("capabilities").map(members).unwrap_or_default();
        capabilities.remove("tasks");
        meta.written(CAPABILITIES, &capabilities.to_text());
    })
}

/// Returns the type of a result.
pub(super) fn result_type(result: &str) -> Option<String> {
    members(result).string("resultType")
}

/// Returns a result as an earlier revision has it.
pub(super) fn earlier(result: &str) -> String {
    let mut result = members(result);
    result.remove("resultType");
    if result.get("structuredContent").is_some_and(|content| !content.starts_with('{')) {
        // The earlier revisions only have objects here; the same content is in the texts.
        result.remove("structuredContent");
    }
    let tools =
        result.get("tools").and_then(|tools| serde_json::from_str::<Vec<Members<'_>>>(tools).ok()).map(|tools| {
            let tools: Vec<String> = tools.into_iter().map(earlier_tool).collect();
            format!("[{}]", tools.join(","))
        });
    if let Some(tools) = tools {
        result.set("tools", tools);
    }
    result.to_text()
}

/// Returns a definition without an output schema that is not that of an object.
fn earlier_tool(mut tool: Members<'_>) -> String {
    let is_object =
        tool.get("outputSchema").is_none_or(|schema| members(schema).string("type").as_deref() == Some("object"));
    if !is_object {
        tool.remove("outputSchema");
    }
    tool.to_text()
}
