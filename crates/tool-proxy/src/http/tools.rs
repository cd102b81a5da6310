//! The headers that calls of tools need: [`Tools`].

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Map, Value};

/// The largest number of tools that are known.
const MOST: usize = 10_000;

/// The path of an argument, and the name of the header that repeats its value.
pub(super) type Header = (Vec<String>, String);

/// The headers of each tool that was listed.
#[derive(Default)]
pub(super) struct Tools {
    headers: HashMap<String, Vec<Header>>,
    /// `true` if the tools were listed before a call. Unknown tools are not looked up again.
    pub(super) is_listed: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    #[serde(default)]
    tools: Vec<Value>,
    next_cursor: Option<String>,
}

/// Returns the cursor of the next page of a list.
pub(super) fn cursor_of(result: &str) -> Option<String> {
    serde_json::from_str::<Page>(result).ok()?.next_cursor
}

impl Tools {
    /// Learns from a page of the list of tools, given as JSON text.
    pub(super) fn learn(&mut self, result: &str) {
        let Ok(Page { tools, .. }) = serde_json::from_str(result) else { return };
        for tool in tools {
            let Some(name) = tool["name"].as_str() else { continue };
            if self.headers.len() < MOST || self.headers.contains_key(name) {
                let mut headers = Vec::new();
                if let Some(schema) = tool["inputSchema"].as_object() {
                    collect(schema, &mut Vec::new(), &mut headers);
                }
                self.headers.insert(name.to_owned(), headers);
            }
        }
    }

    pub(super) fn is_unknown(&self, tool: &str) -> bool {
        !self.is_listed && !self.headers.contains_key(tool)
    }

    pub(super) fn headers_of(&self, tool: &str) -> Vec<Header> {
        self.headers.get(tool).cloned().unwrap_or_default()
    }
}

/// Collects the headers of properties. The recursion is bounded, because the parser bounds the nesting of JSON.
fn collect(schema: &Map<String, Value>, path: &mut Vec<String>, headers: &mut Vec<Header>) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    for (name, property) in properties {
        let Some(property) = property.as_object() else { continue };
        path.push(name.clone());
        if let Some(header) = property.get("x-mcp-header").and_then(Value::as_str).filter(|header| !header.is_empty()) {
            headers.push((path.clone(), header.to_owned()));
        }
        collect(property, path, headers);
        path.pop();
    }
}
