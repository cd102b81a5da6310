//! A page of the list of tools as the client may see it: [`visible`].
//!
//! Invariant: only the member `tools` of a page changes.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::access::Access;
use super::frame::{Answer, Frame, object, present};
use super::offered::effects;

/// A page of the list of tools.
#[derive(Debug, PartialEq)]
pub(super) enum Page {
    Unchanged,
    /// The page as the client may see it, and the names of the hidden tools.
    Changed(Frame, Vec<String>),
    /// The result is not a list of tools.
    Unreadable,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct List<'l> {
    #[serde(borrow)]
    tools: &'l RawValue,
    #[serde(borrow, default, deserialize_with = "present")]
    next_cursor: Option<&'l RawValue>,
}

#[derive(Deserialize)]
struct Definition<'l> {
    name: String,
    #[serde(borrow, default)]
    annotations: Option<&'l RawValue>,
}

/// Removes the tools that are not allowed from a page, and adds definitions to the end of the last page.
pub(super) fn visible(access: &Access, added: &[String], frame: &Frame, answer: Answer<'_>) -> Page {
    let Answer::Result(result) = answer else { return Page::Unchanged };
    if access.is_open() && added.is_empty() {
        return Page::Unchanged;
    }
    let unreadable = if access.is_open() { Page::Unchanged } else { Page::Unreadable };
    let Some(List { tools, next_cursor }) = object(result) else { return unreadable };
    let Ok(definitions) = serde_json::from_str::<Vec<&RawValue>>(tools.get()) else { return unreadable };
    let is_last = next_cursor.is_none_or(|cursor| cursor.get() == "null");
    let (mut shown, hidden): (Vec<&str>, Vec<&str>) =
        definitions.iter().map(|definition| definition.get()).partition(|text| allows(access, text));
    let added = if is_last { added } else { &[] };
    if hidden.is_empty() && added.is_empty() {
        return Page::Unchanged;
    }
    shown.extend(added.iter().map(String::as_str));
    let text = format!("[{}]", shown.join(","));
    let name = |text: &str| object(text).map(|Definition { name, .. }| name);
    let hidden = hidden.into_iter().filter_map(name).collect();
    Page::Changed(frame.with_part(tools.get(), &text), hidden)
}

fn allows(access: &Access, definition: &str) -> bool {
    access.is_open()
        || object(definition).is_some_and(|Definition { name, annotations }| access.allows(&name, effects(annotations)))
}
