//! A page of a list of tools: [`Page`].
//!
//! Invariant: for each definition of the page, the result is either a valid definition, or the reason why it is not valid.

use rmcp::model::{ServerResult, Tool};
use serde_json::Value;

use super::check_x_mcp_header;
use super::error::SkippedTool;

/// The definition of a tool, or the reason why it is not valid.
pub(super) type Definition = Result<Tool, SkippedTool>;

/// A page of a list, with definitions that may be invalid.
pub(super) struct Page {
    pub(super) tools: Vec<Definition>,
    pub(super) cursor: Option<String>,
    pub(super) ttl_ms: Option<u64>,
}

impl Page {
    /// Parses the definitions of a page. If one of them is invalid, rmcp returns the whole page as plain JSON.
    pub(super) fn of(result: ServerResult) -> Self {
        match result {
            ServerResult::ListToolsResult(page) => {
                Self { tools: page.tools.into_iter().map(Ok).collect(), cursor: page.next_cursor, ttl_ms: page.ttl_ms }
            }
            other => {
                let mut page = serde_json::to_value(other).unwrap_or_default();
                let tools = match page.get_mut("tools").map(Value::take) {
                    Some(Value::Array(tools)) => tools.into_iter().map(definition).collect(),
                    _ => Vec::new(),
                };
                let cursor = page["nextCursor"].as_str().map(str::to_owned);
                Self { tools, cursor, ttl_ms: page["ttlMs"].as_u64() }
            }
        }
    }

    /// Adds the definitions that the transport received but dropped, because their headers are invalid, each with the reason.
    pub(super) fn received_as(self, received: Option<Vec<Definition>>) -> Self {
        let Some(received) = received else { return self };
        let mut kept = self.tools.into_iter().peekable();
        let tools = received.into_iter().map(|received| {
            let tool = received?;
            let is_same = |kept: &Definition| kept.as_ref().is_ok_and(|kept| kept.name == tool.name);
            kept.next_if(is_same).unwrap_or_else(|| {
                let fault = check_x_mcp_header::x_mcp_header_issue(&tool.input_schema);
                Err(SkippedTool::new(
                    &tool.name,
                    fault.unwrap_or_else(|| "the transport dropped the definition".to_owned()),
                ))
            })
        });
        Self { tools: tools.collect(), ..self }
    }
}

fn definition(definition: Value) -> Result<Tool, SkippedTool> {
    let name = definition["name"].as_str().unwrap_or_default().to_owned();
    serde_json::from_value(definition)
        .map_err(|error| SkippedTool::new(&name, format!("the definition is not valid: {error}")))
}
