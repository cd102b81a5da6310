//! The remarks of a dry run, which say what the proxy would do.
//!
//! Invariant: if arguments are redacted, a remark contains no value of any argument.

use rmcp::model::RequestId;

use super::call::Call;
use super::message::Message;
use super::record::without;
use crate::private::bounded;

/// The largest number of bytes that a remark shows of a text.
const SHOWN: usize = 1_000;

/// Returns a call as a remark names it.
pub(super) fn named(id: &RequestId, tool: Option<&str>) -> String {
    let id = id.to_string();
    let (id, tool) = (bounded::name(&id), tool.map(|tool| format!(" of {}", bounded::name(tool))));
    format!("call {id}{}", tool.unwrap_or_default())
}

/// Returns the remark about a call that would be repaired to a line.
pub(super) fn repaired(id: &RequestId, call: &Call<'_>, line: &str, redacted: &[String]) -> String {
    let name = named(id, Some(&call.name));
    let Ok(Message::Request { params, .. }) = Message::of(line) else { return format!("would repair {name}") };
    let Some(repaired) = Call::of(params) else { return format!("would repair {name}") };
    let arguments = without(redacted, repaired.arguments);
    format!("would repair {name} to {} {}", bounded::name(&repaired.name), bounded::text(&arguments, SHOWN))
}

/// Returns the remark about a call that would be answered with these texts.
pub(super) fn refused(id: &RequestId, call: &Call<'_>, texts: &[String], redacted: &[String]) -> String {
    let name = named(id, Some(&call.name));
    if redacted.is_empty() {
        format!("would refuse {name}: {}", bounded::text(&texts.join(" "), SHOWN))
    } else {
        // The texts can quote any argument.
        format!("would refuse {name}")
    }
}
