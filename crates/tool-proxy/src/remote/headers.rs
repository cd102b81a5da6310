//! The headers of a request over HTTP that repeat its message, in protocol version 2026-07-28: [`message_headers`] and [`ToolHeaders`].
//!
//! Programs between client and server route a message by them.

use std::convert::Infallible;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use memchr::memmem;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::value::RawValue;

use crate::mcp_headers::{ArgumentHeader, VERSION_HEADER, argument_headers, repeated_headers};
use crate::members::{VERSION, member, meta, parsed};
use crate::request_table::Table;

/// The keyword of a property whose value a header repeats.
const KEYWORD: &str = "x-mcp-header";
/// The largest number of tools whose headers are kept.
const MOST_TOOLS: usize = 10_000;

/// The arguments that headers repeat, for each tool of a server.
#[derive(Default)]
pub(super) struct ToolHeaders(Table<String, Vec<ArgumentHeader>>);

impl ToolHeaders {
    /// Notes the headers of the tools in a list, given the result of any request.
    pub(super) fn learn(&mut self, result: &str) {
        if memmem::find(result.as_bytes(), KEYWORD.as_bytes()).is_none() {
            return;
        }
        for tool in parsed::<Vec<&RawValue>>(result, "tools").unwrap_or_default() {
            let headers = member(tool.get(), "inputSchema").map(argument_headers).unwrap_or_default();
            if let Some(name) = parsed(tool.get(), "name")
                && self.0.len() < MOST_TOOLS
            {
                self.0.insert(name, headers);
            }
        }
    }
}

/// Returns the headers for a request or a notification; none in earlier protocol versions.
pub(super) fn message_headers(method: &str, params: &str, tools: &ToolHeaders) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let Some(version) = meta(params, VERSION).and_then(|version| serde_json::from_str::<String>(version).ok()) else {
        return headers;
    };
    let mut add = |name: &str, value: Option<&str>| {
        // A name that is not valid cannot be sent. The server then rejects the request.
        if let (Ok(name), Some(Ok(value))) =
            (HeaderName::try_from(name), value.map(|value| HeaderValue::try_from(encoded(value))))
        {
            headers.insert(name, value);
        }
        Ok::<_, Infallible>(())
    };
    let is_call = method == "tools/call" && !tools.0.is_empty();
    let name: Option<String> = is_call.then(|| parsed(params, "name")).flatten();
    let arguments = name.and_then(|name| tools.0.get(&name)).map_or(&[][..], Vec::as_slice);
    let Ok(()) = add(VERSION_HEADER, Some(&version)).and_then(|()| repeated_headers(method, params, arguments, add));
    headers
}

/// Encodes a value that a header cannot have as it is.
fn encoded(value: &str) -> String {
    let is_plain = value.bytes().all(|byte| matches!(byte, b' '..=b'~')) && value.trim_ascii() == value;
    if is_plain && !value.starts_with("=?base64?") {
        value.to_owned()
    } else {
        format!("=?base64?{}?=", BASE64_STANDARD.encode(value))
    }
}
