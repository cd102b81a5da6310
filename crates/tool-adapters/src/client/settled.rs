//! The normalised stop reason of an answer.

use tool_chat::model::StopReason;

/// Replaces the reason `Finished`, which some providers send although there are calls.
pub(super) fn settled(stop: StopReason, has_calls: bool) -> StopReason {
    if has_calls && stop == StopReason::Finished { StopReason::ToolCalls } else { stop }
}
