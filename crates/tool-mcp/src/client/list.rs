//! The list of a server's tools: [`fetch`].
//!
//! Invariants: the number of pages, the number of tools and the size of each definition are bounded. An invalid definition is reported with
//! its name, and does not affect the others.

use std::time::Duration;

use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams, Tool};

use super::connection::Connection;
use super::error::SkippedTool;
use super::fault::Fault;
use super::page::Page;
use crate::private::bounded;

/// The maximum number of pages of a list.
const MOST_PAGES: usize = 1_000;
/// The maximum number of bytes of one definition.
const LARGEST: usize = 256 * 1_024;
/// The maximum number of bytes of all definitions.
const LARGEST_LIST: usize = 16 * 1_024 * 1_024;
/// The maximum number of definitions that are reported as left out.
const MOST_LEFT_OUT: usize = 1_000;

/// The tools of a server, as it defines them.
#[derive(Default)]
pub(super) struct Listed {
    pub(super) tools: Vec<Tool>,
    pub(super) left_out: Vec<SkippedTool>,
    /// The time for which the list is valid; `None` if the server did not say.
    pub(super) ttl: Option<Duration>,
}

/// Lists the tools of a server, at most `most` of them.
pub(super) async fn fetch(connection: &Connection, most: usize) -> Result<Listed, Fault> {
    let mut listed = Listed::default();
    let (mut cursor, mut ttl_ms, mut room) = (None, None, LARGEST_LIST);
    for _ in 0..MOST_PAGES {
        let params = PaginatedRequestParams::default().with_cursor(cursor.clone());
        let request = ListToolsRequest { params: Some(params), ..ListToolsRequest::default() };
        let result = connection.request(ClientRequest::ListToolsRequest(request)).await?;
        let page = Page::of(result).received_as(connection.events.take_list());
        let is_empty = page.tools.is_empty();
        for tool in page.tools {
            if listed.tools.len() + listed.left_out.len() >= most.saturating_add(MOST_LEFT_OUT) {
                break;
            }
            match tool.and_then(|tool| fitting(tool, &mut room)) {
                Ok(tool) if listed.tools.len() < most => listed.tools.push(tool),
                Ok(tool) => {
                    let reason = format!("the server has more than {most} tools");
                    listed.left_out.push(SkippedTool::new(&tool.name, reason));
                    return Ok(listed.valid_for(ttl_ms));
                }
                Err(left_out) => listed.left_out.push(left_out),
            }
        }
        ttl_ms = [ttl_ms, page.ttl_ms].into_iter().flatten().min();
        // Stop at a repeated cursor or an empty page, because the server may send such pages without end.
        if page.cursor.is_none() || page.cursor == cursor || is_empty {
            break;
        }
        cursor = page.cursor;
    }
    Ok(listed.valid_for(ttl_ms))
}

impl Listed {
    fn valid_for(self, ttl_ms: Option<u64>) -> Self {
        Self { ttl: ttl_ms.map(Duration::from_millis), ..self }
    }
}

/// Returns a definition that is not too large, and reduces the room for further ones.
fn fitting(tool: Tool, room: &mut usize) -> Result<Tool, SkippedTool> {
    let bytes = serde_json::to_vec(&tool).map_or(0, |text| text.len());
    if bytes > LARGEST {
        let reason = format!("the definition has {bytes} bytes, and at most {LARGEST} are allowed");
        return Err(SkippedTool::new(&tool.name, reason));
    }
    let Some(rest) = room.checked_sub(bytes) else {
        let reason = format!("the definitions of the server have more than {LARGEST_LIST} bytes");
        return Err(SkippedTool::new(&tool.name, reason));
    };
    *room = rest;
    Ok(tool)
}

impl SkippedTool {
    pub(super) fn new(name: &str, reason: impl Into<String>) -> Self {
        Self { name: bounded::name(name).into_owned(), reason: bounded::sentence(&reason.into(), 300).into_owned() }
    }
}
