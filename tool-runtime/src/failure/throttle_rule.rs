//! The rules of the throttle: [`ThrottleRule`].

use serde::{Deserialize, Serialize};

/// A rule of the throttle, by which it warns about calls and rejects calls (see `docs/wire.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ThrottleRule {
    /// Consecutive failures of one tool.
    ConsecutiveFailures,
    /// Failures of one tool with the same error, even if the arguments differ.
    SameError,
    /// Consecutive calls of one tool with equal arguments and results.
    IdenticalCall,
    /// Two alternating calls without a new result.
    AlternatingCalls,
    /// Calls of one tool within a short time.
    SameToolRate,
    /// Calls of all tools within a short time.
    OverallRate,
    /// Consecutive calls of unknown tools.
    UnknownTools,
    /// All failures of a run; the only rule that ends the run.
    RunBudget,
}

impl ThrottleRule {
    /// Returns the value of `rule` in the answer.
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
