//! What went wrong, what to do about it, and the rules that throttle: the closed lists of WIRE §1 and §5.

/// What went wrong.
///
/// ```
/// assert_eq!(tool_runtime::failure::FailureKind::RateLimited.as_str(), "rate_limited");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureKind {
    /// The call itself was wrong; nothing ran.
    InvalidCall,
    /// The tool or the host refused a call that was well formed.
    DomainRejection,
    /// What the tool needs cannot be reached.
    Unavailable,
    /// Whoever serves the tool asks for a pause.
    RateLimited,
    /// It took too long.
    Timeout,
    /// It ran, and its result could not be encoded.
    MalformedResult,
    /// It was refused because the same did not help before.
    Throttled,
    /// Nothing ran, because the host did not supply its part of the arguments.
    HostInput,
    /// Nothing ran yet; the host answers later.
    Deferred,
    /// The session cancelled it.
    Cancelled,
    /// A panic, or an outcome that is not known.
    Internal,
}

impl FailureKind {
    /// The kind in `snake_case`, for logs and programs.
    ///
    /// ```
    /// assert_eq!(tool_runtime::failure::FailureKind::InvalidCall.as_str(), "invalid_call");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidCall => "invalid_call",
            Self::DomainRejection => "domain_rejection",
            Self::Unavailable => "unavailable",
            Self::RateLimited => "rate_limited",
            Self::Timeout => "timeout",
            Self::MalformedResult => "malformed_result",
            Self::Throttled => "throttled",
            Self::HostInput => "host_input",
            Self::Deferred => "deferred",
            Self::Cancelled => "cancelled",
            Self::Internal => "internal",
        }
    }
}

/// What the model should do about a failure.
///
/// ```
/// assert_eq!(tool_runtime::failure::Recovery::CorrectCall.as_str(), "correct_call");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Recovery {
    /// Send the same call again, corrected.
    CorrectCall,
    /// Do something else.
    Replan,
    /// Call nothing more; answer.
    Finish,
}

impl Recovery {
    /// The `recovery` of the wire.
    ///
    /// ```
    /// assert_eq!(tool_runtime::failure::Recovery::Replan.as_str(), "replan");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CorrectCall => "correct_call",
            Self::Replan => "replan",
            Self::Finish => "finish",
        }
    }
}

/// Which rule against thrashing refused a call (WIRE §5).
///
/// ```
/// assert_eq!(tool_runtime::failure::ThrottleRule::SameError.as_str(), "same_error");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ThrottleRule {
    /// Failures of one tool in a row.
    ConsecutiveFailures,
    /// One tool and the same error, whatever the arguments.
    SameError,
    /// The same tool, arguments and result in a row.
    IdenticalCall,
    /// Two calls in turn without a new result.
    AlternatingCalls,
    /// Calls of one tool in a short time.
    SameToolRate,
    /// Calls of all tools in a short time.
    OverallRate,
    /// Invented names in a row.
    UnknownTools,
    /// Failures of the whole run; the only rule that ends it.
    RunBudget,
}

impl ThrottleRule {
    /// The `rule` of the wire.
    ///
    /// ```
    /// assert_eq!(tool_runtime::failure::ThrottleRule::RunBudget.as_str(), "run_budget");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ConsecutiveFailures => "consecutive_failures",
            Self::SameError => "same_error",
            Self::IdenticalCall => "identical_call",
            Self::AlternatingCalls => "alternating_calls",
            Self::SameToolRate => "same_tool_rate",
            Self::OverallRate => "overall_rate",
            Self::UnknownTools => "unknown_tools",
            Self::RunBudget => "run_budget",
        }
    }
}
