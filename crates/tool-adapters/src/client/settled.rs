//! The normalised stop reason of an answer.

use tool_chat::model::StopReason;

/// Replaces the reason `Finished` if there are calls, which some providers send.
pub(super) fn settled(stop: StopReason, has_calls: bool) -> StopReason {
    if has_calls && stop == StopReason::Finished { StopReason::ToolCalls } else { stop }
}
