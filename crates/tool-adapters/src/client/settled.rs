//! The normalised stop reason of an answer.

use tool_chat::model::StopReason;

/// Replaces the reason `Finished` by `ToolCalls` if there are calls, because some providers send the wrong reason.
pub(super) fn settled(stop: StopReason, has_calls: bool) -> StopReason {
    if has_calls && stop == StopReason::Finished { StopReason::ToolCalls } else { stop }
}
