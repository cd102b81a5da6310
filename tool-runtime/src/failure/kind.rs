//! The kinds of failures, and the recoveries recommended to the model (see `docs/wire.md`).

/// The kind of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureKind {
    /// The call itself was wrong; nothing ran.
    InvalidCall,
    /// The tool or the host rejected a call that was well formed.
    DomainRejection,
    /// A resource that the tool needs is not reachable.
    Unavailable,
    /// The service behind the tool asks for a pause.
    RateLimited,
    /// The call took too long.
    Timeout,
    /// The tool ran, and its result could not be encoded.
    MalformedResult,
    /// The throttle stopped the call.
    Throttled,
    /// The tool has not run, because the host did not supply valid values for the tool's host parameters.
    HostInput,
    /// The tool has not run yet; the host answers later.
    Deferred,
    /// The session cancelled the call.
    Cancelled,
    /// The program stopped while the tool ran, so its effect is unknown.
    EffectUnknown,
    /// A panic, or an unknown outcome.
    Internal,
}

impl FailureKind {
    /// Returns the kind in `snake_case`, for logs and programs.
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
            Self::EffectUnknown => "effect_unknown",
            Self::Internal => "internal",
        }
    }
}

/// The recommended reaction of the model to a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Recovery {
    /// The model should send a corrected call.
    CorrectCall,
    /// The model should try another approach.
    Replan,
    /// The model should answer without further calls.
    Finish,
}

impl Recovery {
    /// Returns the value of `recovery` in the answer.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CorrectCall => "correct_call",
            Self::Replan => "replan",
            Self::Finish => "finish",
        }
    }
}
