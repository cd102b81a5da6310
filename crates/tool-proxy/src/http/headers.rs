//! The headers that repeat parts of a message, so that programs between client and server can route it: [`mismatch`].
//!
//! Revision 2026-07-28 demands them, and demands that a server compares them with the message.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hyper::header::HeaderMap;
use rmcp::model::RequestId;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::frame::{Frame, Message};
use super::super::parts::{Meta, Params, text};
use super::tools::Header;

/// The header that names the revision.
pub(super) const VERSION: &str = "mcp-protocol-version";
const METHOD: &str = "mcp-method";
const NAME: &str = "mcp-name";

/// The parts of a request or notification that its transport needs.
pub(super) struct RequestParts<'l> {
    /// 0 for a notification.
    pub(super) id: RequestId,
    pub(super) method: &'l str,
    pub(super) params: Params<'l>,
    /// The `_meta` of the parameters.
    pub(super) meta: Meta<'l>,
}

impl<'l> RequestParts<'l> {
    /// Parses the parts; `None` for a response.
    pub(super) fn of(frame: &'l Frame) -> Option<Self> {
        let (id, method, params) = match frame.message() {
            Message::Request { id, method, params } => (id, method, params),
            Message::Notification { method, params } => (RequestId::Number(0), method, params),
            Message::Response { .. } | Message::Error => return None,
        };
        let params = Params::of(params);
        let meta = params.meta();
        Some(Self { id, method, params, meta })
    }
}

/// Returns the reason why the headers do not fit the message. `params` are the headers that its tool demands.
pub(super) fn mismatch(headers: &HeaderMap, parts: &RequestParts<'_>, params: &[Header]) -> Option<String> {
    compare(headers, parts, params).err()
}

fn compare(headers: &HeaderMap, parts: &RequestParts<'_>, params: &[Header]) -> Result<(), String> {
    let method = parts.method;
    match single(headers, METHOD)? {
        Some(value) if value == method => {}
        Some(_) => return Err("The header Mcp-Method does not match the method of the message.".to_owned()),
        None => return Err("The header Mcp-Method is missing.".to_owned()),
    }
    let named = match method {
        "tools/call" | "prompts/get" => parts.params.name,
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => parts.params.uri,
        "tasks/get" | "tasks/update" | "tasks/cancel" => parts.params.task_id,
        _ => None,
    };
    if let Some(expected) = text(named) {
        equal("Mcp-Name", single(headers, NAME)?, Some(&expected))?;
    }
    if params.is_empty() {
        return Ok(());
    }
    let arguments = parts.params.arguments.map(RawValue::get);
    let arguments: Value = arguments.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    for (path, header) in params {
        let value = path.iter().try_fold(&arguments, |value, key| value.get(key));
        let expected = value.and_then(|value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Bool(value) => Some(value.to_string()),
            Value::Number(number) => Some(number.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        });
        let name = format!("Mcp-Param-{header}");
        equal(&name, single(headers, &name)?, expected.as_deref())?;
    }
    Ok(())
}

fn equal(name: &str, found: Option<&str>, expected: Option<&str>) -> Result<(), String> {
    match (found, expected) {
        (None, None) => Ok(()),
        (None, Some(_)) => Err(format!("The header {name} is missing.")),
        (Some(_), None) => Err(format!("The header {name} has no counterpart in the message.")),
        (Some(found), Some(expected)) if decoded(found).as_deref() == Some(expected) => Ok(()),
        (Some(_), Some(_)) => Err(format!("The header {name} does not match the message.")),
    }
}

/// Decodes a value that cannot be written in a header as it is.
fn decoded(value: &str) -> Option<String> {
    match value.strip_prefix("=?base64?").and_then(|value| value.strip_suffix("?=")) {
        Some(encoded) => String::from_utf8(BASE64_STANDARD.decode(encoded).ok()?).ok(),
        None => Some(value.to_owned()),
    }
}

/// Returns the value of a header that must not be repeated, because other programs might use another one of its values.
fn single<'h>(headers: &'h HeaderMap, name: &str) -> Result<Option<&'h str>, String> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(format!("The header {name} is repeated."));
    }
    value.to_str().map(Some).map_err(|_| format!("The header {name} is not text."))
}
