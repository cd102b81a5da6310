//! The recording of calls as JSON Lines, which `toolbox check` reads: [`recorded`].

use rmcp::model::RequestId;

use super::frame::write_id;
use super::redact::Shown;
use super::writing::json_object;

/// The decision about a recorded call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Ok,
    Repaired,
    /// Nothing was known about the tool, or the check would have taken too many steps.
    Unchecked,
    Refused,
    Throttled,
}

impl Verdict {
    const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Repaired => "repaired",
            Self::Unchecked => "unchecked",
            Self::Refused => "refused",
            Self::Throttled => "throttled",
        }
    }
}

/// Returns a line about a call, with the arguments as the client sent them.
pub(super) fn recorded(id: &RequestId, call: &Shown<'_>, verdict: Verdict) -> String {
    json_object(|entry| {
        write_id(entry.value("id"), id);
        entry.string("tool", &call.name);
        if !call.arguments.is_empty() {
            entry.raw("arguments", &call.arguments);
        }
        entry.string("verdict", verdict.name());
    })
}
