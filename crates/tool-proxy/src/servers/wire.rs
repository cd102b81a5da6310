//! The parts of messages that have to be changed or inspected to route them, as slices of their lines.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::message::{Splice, object, present, replaced};

#[derive(Deserialize)]
struct Id<'l> {
    #[serde(borrow)]
    id: &'l RawValue,
}

/// Parameters with the name of a tool or prompt.
#[derive(Deserialize)]
pub(super) struct Named<'l> {
    #[serde(borrow)]
    pub(super) name: &'l RawValue,
}

/// Parameters with the URI of a resource.
#[derive(Deserialize)]
pub(super) struct Addressed {
    pub(super) uri: String,
}

/// Parameters with the prompt or resource whose argument is completed.
#[derive(Deserialize)]
pub(super) struct Completed<'l> {
    #[serde(borrow)]
    pub(super) r#ref: &'l RawValue,
}

/// A member with the id of a task.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TaskId {
    pub(super) task_id: String,
}

/// The parameters of a cancellation.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Cancelled<'l> {
    #[serde(borrow)]
    pub(super) request_id: &'l RawValue,
}

/// The parameters of a report of progress, or the `_meta` of a request.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Meta<'l> {
    #[serde(borrow, default)]
    pub(super) progress_token: Option<&'l RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<&'l RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/subscriptionId")]
    pub(super) subscription: Option<&'l RawValue>,
}

#[derive(Deserialize)]
struct WithMeta<'l> {
    #[serde(borrow, default, rename = "_meta", deserialize_with = "present")]
    meta: Option<&'l RawValue>,
}

/// Returns the text of `_meta` in parameters or results.
pub(super) fn meta(text: &str) -> Option<&str> {
    object::<WithMeta<'_>>(text)?.meta.map(RawValue::get)
}

/// Returns the members of `_meta` that matter here.
pub(super) fn progress(params: &str) -> Meta<'_> {
    meta(params).and_then(object).unwrap_or_default()
}

/// Returns `true` if a request is one of revision 2026-07-28, whose results have a type.
pub(super) fn is_modern(params: &str) -> bool {
    progress(params).version.is_some()
}

/// Returns the id of a message as JSON text.
pub(super) fn id_part(line: &str) -> Option<&str> {
    let text = line.strip_prefix('\u{feff}').unwrap_or(line).trim_ascii_start();
    Some(object::<Id<'_>>(text)?.id.get())
}

/// Returns a JSON text as the value of a string.
pub(super) fn text_of(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

/// Returns a line with one part, a slice of it, replaced.
pub(super) fn with(line: &str, part: &str, text: &str) -> String {
    replaced(line, vec![Splice { part, text: Cow::Borrowed(text) }])
}
