//! The remarks of a dry run, which say what the proxy would do.
//!
//! Invariant: a remark contains no redacted argument.

use rmcp::model::RequestId;

use super::redact::Shown;
use crate::private::bounded;

/// The largest number of bytes that a remark shows of a text.
const SHOWN: usize = 1_000;

/// Returns a call as a remark names it.
pub(super) fn named(id: &RequestId, tool: Option<&str>) -> String {
    let id = id.to_string();
    let (id, tool) = (bounded::name(&id), tool.map(|tool| format!(" of {}", bounded::name(tool))));
    format!("call {id}{}", tool.unwrap_or_default())
}

/// Returns the remark about a call that would be repaired.
pub(super) fn repaired(id: &RequestId, call: &Shown<'_>, repaired: Option<&Shown<'_>>) -> String {
    let name = named(id, Some(&call.name));
    let Some(repaired) = repaired else { return format!("would repair {name}") };
    format!("would repair {name} to {} {}", bounded::name(&repaired.name), bounded::text(&repaired.arguments, SHOWN))
}

/// Returns the remark about a call that would be answered with these texts.
pub(super) fn refused(id: &RequestId, call: &Shown<'_>, texts: &[String], redacted: &[String]) -> String {
    format!("would refuse {}{}", named(id, Some(&call.name)), quoted(&texts.join(" "), redacted))
}

/// Returns a text for the model as a remark shows it. The text can quote any argument, so it is left out if some are redacted.
pub(super) fn quoted(text: &str, redacted: &[String]) -> String {
    if redacted.is_empty() { format!(": {}", bounded::text(text, SHOWN)) } else { String::new() }
}
