//! The reason for which an answer ended, as every provider's answer is given.

use tool_chat::model::StopReason;

/// Calls are calls, whatever a provider gives as its reason.
pub(super) fn settled(stop: StopReason, has_calls: bool) -> StopReason {
    if has_calls && stop == StopReason::Finished { StopReason::ToolCalls } else { stop }
}
