//! The normalised stop reason of an answer.

use tool_chat::model::StopReason;

/// Replaces the reason `Finished`, because some providers send it for every end: by `ToolCalls` if there are calls, and by `Filtered` if the
/// model refuses to answer.
pub(super) fn normal_stop_reason(stop: StopReason, has_calls: bool, is_rejection: bool) -> StopReason {
    match stop {
        StopReason::Finished if has_calls => StopReason::ToolCalls,
        StopReason::Finished if is_rejection => StopReason::Filtered,
        stop => stop,
    }
}
