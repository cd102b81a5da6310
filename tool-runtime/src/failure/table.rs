//! The table in `docs/wire.md`: the name, kind, recovery and hint reason of each row.
//!
//! Invariant: the `match` over the rows is exhaustive. A new row therefore does not compile until all its values are decided.

use super::{Failure, FailureKind, Outage, Recovery, Row, ThrottleRule};
use crate::hint::{Reason, reason_of};

impl Failure {
    /// Returns the `error_type` (see `docs/wire.md`).
    pub const fn error_type(&self) -> &'static str {
        self.cells().0
    }

    /// Returns the kind of the failure.
    pub const fn kind(&self) -> FailureKind {
        self.cells().1
    }

    /// Returns the recommended reaction of the model.
    pub const fn recovery(&self) -> Recovery {
        self.cells().2
    }

    /// Returns the `reason` of the retry hint, if this kind of failure has a hint.
    pub fn hint_reason(&self) -> Option<Reason> {
        if let Row::ValidationError(issues) = &self.row { Some(reason_of(issues)) } else { self.cells().3 }
    }

    /// Returns the cells of the row. The issues of a `validation_error` decide its reason.
    const fn cells(&self) -> (&'static str, FailureKind, Recovery, Option<Reason>) {
        use FailureKind as Kind;
        use Recovery::{CorrectCall, Finish, Replan};

        match self.row {
            Row::ValidationError(_) => ("validation_error", Kind::InvalidCall, CorrectCall, None),
            Row::InvalidJson(_) => ("invalid_json", Kind::InvalidCall, CorrectCall, Some(Reason::InvalidArguments)),
            Row::ContainerInvocation { .. } => ("container_invocation_error", Kind::InvalidCall, CorrectCall, None),
            Row::ContainerNotExpanded { .. } => ("container_not_expanded", Kind::InvalidCall, CorrectCall, None),
            Row::AmbiguousTool { .. } => ("ambiguous_tool", Kind::InvalidCall, CorrectCall, None),
            Row::UnknownTool { .. } => ("unknown_tool", Kind::InvalidCall, Replan, Some(Reason::ToolUnavailable)),
            Row::ToolRemoved { .. } => ("tool_removed", Kind::Unavailable, Replan, Some(Reason::ToolUnavailable)),
            Row::ToolRejected { .. } => ("tool_error", Kind::DomainRejection, Replan, None),
            Row::ToolAsksForCorrection { .. } => {
                ("tool_error", Kind::DomainRejection, CorrectCall, Some(Reason::InvalidArguments))
            }
            Row::Denied { .. } => ("denied", Kind::DomainRejection, Replan, None),
            Row::HostInput => ("host_input", Kind::HostInput, Replan, None),
            Row::Deferred => ("deferred", Kind::Deferred, Replan, None),
            Row::Outage { outage: Outage::Unavailable, .. } => {
                ("unavailable", Kind::Unavailable, Replan, Some(Reason::ToolUnavailable))
            }
            Row::Outage { outage: Outage::RateLimited, .. } => {
                ("rate_limited", Kind::RateLimited, Replan, Some(Reason::RateLimited))
            }
            Row::Outage { outage: Outage::Timeout, .. } => ("timeout", Kind::Timeout, Replan, Some(Reason::Timeout)),
            Row::Throttled { rule: ThrottleRule::RunBudget, .. } => {
                ("throttled", Kind::Throttled, Finish, Some(Reason::Throttled))
            }
            Row::Throttled { .. } => ("throttled", Kind::Throttled, Replan, Some(Reason::Throttled)),
            Row::MalformedResponse { .. } => {
                ("malformed_response", Kind::MalformedResult, Replan, Some(Reason::MalformedResponse))
            }
            Row::EffectUnknown { .. } => ("effect_unknown", Kind::EffectUnknown, Replan, None),
            Row::Internal | Row::InternalBefore => ("internal_error", Kind::Internal, Replan, None),
            Row::Cancelled => ("cancelled", Kind::Cancelled, Finish, None),
        }
    }
}
