//! The call of a tool as a message: [`Call`].

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use rmcp::model::RequestId;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::message::{Splice, object, present, replaced};
use crate::private::json::Writer;

/// The beginning of the members of `_meta` that every request of revision 2026-07-28 has.
const PROTOCOL: &str = "io.modelcontextprotocol/";

/// The parameters of a call, as slices of its line.
pub(super) struct Call<'l> {
    pub(super) name: String,
    /// The arguments as JSON text; empty if there are none.
    pub(super) arguments: &'l str,
    /// The members of `_meta` that every request of revision 2026-07-28 has.
    protocol: Vec<(Cow<'l, str>, &'l str)>,
    params: &'l str,
    name_part: &'l str,
}

#[derive(Deserialize)]
struct Params<'l> {
    #[serde(borrow)]
    name: &'l RawValue,
    #[serde(borrow, default, deserialize_with = "present")]
    arguments: Option<&'l RawValue>,
    #[serde(borrow, default, rename = "_meta", deserialize_with = "present")]
    meta: Option<&'l RawValue>,
}

impl<'l> Call<'l> {
    /// Parses the parameters of `tools/call`.
    pub(super) fn of(params: &'l str) -> Option<Self> {
        let Params { name, arguments, meta } = object(params)?;
        Some(Self {
            name: serde_json::from_str(name.get()).ok()?,
            arguments: arguments.map_or("", RawValue::get),
            protocol: protocol(meta),
            params,
            name_part: name.get(),
        })
    }

    /// Returns `true` if a result of the call has a type.
    pub(super) fn has_result_type(&self) -> bool {
        !self.protocol.is_empty()
    }

    /// Returns the members of `_meta` that a request of the proxy needs too.
    pub(super) fn protocol(&self) -> Vec<(String, String)> {
        owned(&self.protocol)
    }

    /// Returns the line with another name, or with other arguments as JSON text. The rest of the line does not change.
    pub(super) fn with(&self, line: &'l str, name: Option<&str>, arguments: Option<&'l str>) -> Option<String> {
        let mut splices = Vec::new();
        if let Some(name) = name {
            let mut text = String::new();
            Writer::new(&mut text).string(name);
            splices.push(Splice { part: self.name_part, text: text.into() });
        }
        if let Some(arguments) = arguments {
            splices.push(if self.arguments.is_empty() {
                // The parameters have a name, so a comma follows.
                Splice { part: &self.params[..1], text: format!(r#"{{"arguments":{arguments},"#).into() }
            } else {
                Splice { part: self.arguments, text: arguments.into() }
            });
        }
        (!splices.is_empty()).then(|| replaced(line, splices))
    }
}

#[derive(Deserialize)]
struct Meta<'l> {
    #[serde(borrow, default, rename = "_meta", deserialize_with = "present")]
    meta: Option<&'l RawValue>,
}

/// Returns the members of `_meta` in the parameters of a request that every request of revision 2026-07-28 has.
pub(super) fn protocol_of(params: &str) -> Vec<(String, String)> {
    owned(&object::<Meta<'_>>(params).map(|Meta { meta }| protocol(meta)).unwrap_or_default())
}

fn protocol<'l>(meta: Option<&'l RawValue>) -> Vec<(Cow<'l, str>, &'l str)> {
    let members: BTreeMap<Cow<'l, str>, &'l RawValue> = meta.and_then(|meta| object(meta.get())).unwrap_or_default();
    let protocol = members.into_iter().filter(|(key, _)| key.starts_with(PROTOCOL));
    protocol.map(|(key, value)| (key, value.get())).collect()
}

fn owned(protocol: &[(Cow<'_, str>, &str)]) -> Vec<(String, String)> {
    protocol.iter().map(|(key, value)| (key.clone().into_owned(), (*value).to_owned())).collect()
}

/// Returns a request with parameters as JSON text, as a line.
pub(super) fn request(id: &RequestId, method: &str, params: &str) -> String {
    let mut line = String::new();
    Writer::new(&mut line).object(|request| {
        request.string("jsonrpc", "2.0");
        write_id(request.value("id"), id);
        request.string("method", method);
        if !params.is_empty() {
            request.raw("params", params);
        }
    });
    line
}

/// Returns a request for a page of the list of tools, as a line.
pub(super) fn list_request(id: &RequestId, cursor: Option<&str>, protocol: &[(String, String)]) -> String {
    let mut line = String::new();
    Writer::new(&mut line).object(|request| {
        request.string("jsonrpc", "2.0");
        write_id(request.value("id"), id);
        request.string("method", "tools/list");
        request.object("params", |params| {
            if let Some(cursor) = cursor {
                params.string("cursor", cursor);
            }
            if !protocol.is_empty() {
                params.object("_meta", |meta| {
                    for (key, value) in protocol {
                        meta.raw(key, value);
                    }
                });
            }
        });
    });
    line
}

/// Returns the answer to a call that the proxy refuses, as a line: a result that is marked as an error.
pub(super) fn refusal(id: &RequestId, texts: &[impl AsRef<str>], has_result_type: bool) -> String {
    answered(id, texts, true, has_result_type)
}

/// Returns the answer of the proxy itself to a call, as a line.
pub(super) fn answered(id: &RequestId, texts: &[impl AsRef<str>], is_error: bool, has_result_type: bool) -> String {
    let mut line = String::new();
    Writer::new(&mut line).object(|response| {
        response.string("jsonrpc", "2.0");
        write_id(response.value("id"), id);
        response.object("result", |result| {
            if has_result_type {
                result.string("resultType", "complete");
            }
            result.array("content", texts, |writer, text| write_text(writer, text.as_ref()));
            result.bool("isError", is_error);
        });
    });
    line
}

/// Returns the cancellation of a request, as a line.
pub(super) fn cancellation(id: &RequestId, reason: &str) -> String {
    let mut line = String::new();
    Writer::new(&mut line).object(|notification| {
        notification.string("jsonrpc", "2.0");
        notification.string("method", "notifications/cancelled");
        notification.object("params", |params| {
            write_id(params.value("requestId"), id);
            params.string("reason", reason);
        });
    });
    line
}

/// Returns a list of tools as the answer to a request, as a line. The definitions are JSON texts. A result with a type also says for how long
/// the list is valid.
pub(super) fn list_answer(id: &RequestId, tools: &[String], ttl: Duration, has_result_type: bool) -> String {
    let mut shown = String::new();
    write_id(Writer::new(&mut shown), id);
    let protocol = format!(r#""resultType":"complete","ttlMs":{},"cacheScope":"private","#, ttl.as_millis());
    let protocol = if has_result_type { protocol } else { String::new() };
    let tools = tools.join(",");
    format!(r#"{{"jsonrpc":"2.0","id":{shown},"result":{{{protocol}"tools":[{tools}]}}}}"#)
}

/// Returns an error as the answer to a request, as a line.
pub(super) fn error(id: &RequestId, code: i32, message: &str) -> String {
    let mut line = String::new();
    Writer::new(&mut line).object(|response| {
        response.string("jsonrpc", "2.0");
        write_id(response.value("id"), id);
        response.object("error", |error| {
            error.raw("code", &code.to_string());
            error.string("message", message);
        });
    });
    line
}

/// Returns a part of a result, as JSON text.
pub(super) fn text_part(text: &str) -> String {
    let mut part = String::new();
    write_text(Writer::new(&mut part), text);
    part
}

fn write_text(writer: Writer<'_>, text: &str) {
    writer.object(|part| {
        part.string("type", "text");
        part.string("text", text);
    });
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Cancelled<'l> {
    #[serde(borrow)]
    request_id: &'l RawValue,
}

/// Returns the id of the request that the parameters of a cancellation name.
pub(super) fn cancelled(params: &str) -> Option<RequestId> {
    serde_json::from_str(object::<Cancelled<'_>>(params)?.request_id.get()).ok()
}

pub(super) fn write_id(writer: Writer<'_>, id: &RequestId) {
    match id {
        RequestId::Number(number) => writer.raw(&number.to_string()),
        RequestId::String(text) => writer.string(text),
    }
}
