//! The table in `docs/wire.md`: the name, kind, recovery and hint reason of each row.
//!
//! Invariant: these values depend only on the row, in exhaustive `match` expressions. A new row therefore does not compile until all its
//! values are decided.

use super::{Failure, FailureKind, Outage, Recovery, Row, ThrottleRule};
use crate::hint::{Reason, reason_of};

impl Failure {
    /// Returns the `error_type` (see `docs/wire.md`).
    pub const fn error_type(&self) -> &'static str {
        match self.row {
            Row::ValidationError(_) => "validation_error",
            Row::InvalidJson(_) => "invalid_json",
            Row::ContainerInvocation { .. } => "container_invocation_error",
            Row::ContainerNotExpanded { .. } => "container_not_expanded",
            Row::AmbiguousTool { .. } => "ambiguous_tool",
            Row::UnknownTool { .. } => "unknown_tool",
            Row::ToolRemoved { .. } => "tool_removed",
            Row::ToolRejected { .. } | Row::ToolAsksForCorrection { .. } => "tool_error",
            Row::Denied { .. } => "denied",
            Row::HostInput => "host_input",
            Row::Deferred => "deferred",
            Row::Outage { outage: Outage::Unavailable, .. } => "unavailable",
            Row::Outage { outage: Outage::RateLimited, .. } => "rate_limited",
            Row::Outage { outage: Outage::Timeout, .. } => "timeout",
            Row::Throttled { .. } => "throttled",
            Row::MalformedResponse { .. } => "malformed_response",
            Row::EffectUnknown { .. } => "effect_unknown",
            Row::Internal | Row::InternalBefore => "internal_error",
            Row::Cancelled => "cancelled",
        }
    }

    /// Returns the kind of the failure.
    pub const fn kind(&self) -> FailureKind {
        match self.row {
            Row::ValidationError(_)
            | Row::InvalidJson(_)
            | Row::ContainerInvocation { .. }
            | Row::ContainerNotExpanded { .. }
            | Row::AmbiguousTool { .. }
            | Row::UnknownTool { .. } => FailureKind::InvalidCall,
            Row::ToolRejected { .. } | Row::ToolAsksForCorrection { .. } | Row::Denied { .. } => {
                FailureKind::DomainRejection
            }
            Row::Outage { outage: Outage::Unavailable, .. } | Row::ToolRemoved { .. } => FailureKind::Unavailable,
            Row::Outage { outage: Outage::RateLimited, .. } => FailureKind::RateLimited,
            Row::Outage { outage: Outage::Timeout, .. } => FailureKind::Timeout,
            Row::Throttled { .. } => FailureKind::Throttled,
            Row::MalformedResponse { .. } => FailureKind::MalformedResult,
            Row::EffectUnknown { .. } => FailureKind::EffectUnknown,
            Row::Internal | Row::InternalBefore => FailureKind::Internal,
            Row::HostInput => FailureKind::HostInput,
            Row::Deferred => FailureKind::Deferred,
            Row::Cancelled => FailureKind::Cancelled,
        }
    }

    /// Returns the recommended reaction of the model.
    pub const fn recovery(&self) -> Recovery {
        match self.row {
            Row::ValidationError(_)
            | Row::InvalidJson(_)
            | Row::ContainerInvocation { .. }
            | Row::ContainerNotExpanded { .. }
            | Row::AmbiguousTool { .. }
            | Row::ToolAsksForCorrection { .. } => Recovery::CorrectCall,
            Row::Throttled { rule: ThrottleRule::RunBudget, .. } | Row::Cancelled => Recovery::Finish,
            Row::UnknownTool { .. }
            | Row::ToolRemoved { .. }
            | Row::ToolRejected { .. }
            | Row::Denied { .. }
            | Row::HostInput
            | Row::Deferred
            | Row::Outage { .. }
            | Row::Throttled { .. }
            | Row::MalformedResponse { .. }
            | Row::EffectUnknown { .. }
            | Row::Internal
            | Row::InternalBefore => Recovery::Replan,
        }
    }

    /// Returns the `reason` of the retry hint, if this kind of failure has a hint.
    pub fn hint_reason(&self) -> Option<Reason> {
        match &self.row {
            Row::ValidationError(issues) => Some(reason_of(issues)),
            Row::InvalidJson(_) | Row::ToolAsksForCorrection { .. } => Some(Reason::InvalidArguments),
            Row::UnknownTool { .. } | Row::ToolRemoved { .. } | Row::Outage { outage: Outage::Unavailable, .. } => {
                Some(Reason::ToolUnavailable)
            }
            Row::Outage { outage: Outage::RateLimited, .. } => Some(Reason::RateLimited),
            Row::Outage { outage: Outage::Timeout, .. } => Some(Reason::Timeout),
            Row::Throttled { .. } => Some(Reason::Throttled),
            Row::MalformedResponse { .. } => Some(Reason::MalformedResponse),
            Row::ContainerInvocation { .. }
            | Row::ContainerNotExpanded { .. }
            | Row::AmbiguousTool { .. }
            | Row::ToolRejected { .. }
            | Row::Denied { .. }
            | Row::HostInput
            | Row::Deferred
            | Row::EffectUnknown { .. }
            | Row::Internal
            | Row::InternalBefore
            | Row::Cancelled => None,
        }
    }
}
