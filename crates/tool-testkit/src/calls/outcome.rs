//! Conditions on the outcome of a call, and on the decisions of the runtime about it.

use tool_runtime::failure::{FailureKind, ThrottleRule};

use super::CallExpectation;
use crate::call_requirement::CallRequirement;
use crate::matcher::Matcher;

impl CallExpectation {
    /// Requires that the call succeeds.
    #[must_use]
    pub fn succeeds(self) -> Self {
        self.and(CallRequirement::Succeeds)
    }

    /// Requires this result. A text result is compared as a JSON string.
    #[must_use]
    pub fn returns(self, result: impl Into<Matcher>) -> Self {
        self.and(CallRequirement::Returns(result.into()))
    }

    /// Requires that the call fails with this kind of failure.
    #[must_use]
    pub fn fails_with(self, kind: FailureKind) -> Self {
        self.and(CallRequirement::FailsWith(kind))
    }

    /// Requires that the call is rejected with a hint about this field.
    #[must_use]
    pub fn rejected_with_hint_about(self, field: &str) -> Self {
        self.and(CallRequirement::Hinted(field.to_owned()))
    }

    /// Requires a repair at this path. Repairs of the tool name, and of the arguments as a whole, have the path `$`.
    #[must_use]
    pub fn repaired(self, path: &str) -> Self {
        self.and(CallRequirement::Repaired(path.to_owned()))
    }

    /// Requires that the call is throttled by this rule.
    #[must_use]
    pub fn throttled(self, rule: ThrottleRule) -> Self {
        self.and(CallRequirement::Throttled(rule))
    }
}
