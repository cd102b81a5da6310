//! The host's answers to deferred calls in a scenario: [`Reply`].

use std::fmt;
use std::sync::Arc;

use tool_runtime::session::{Completion, DeferredCall};

/// The host's answer to a deferred call.
///
/// ```
/// use tool_runtime::ToolError;
/// use tool_testkit::Reply;
///
/// assert!(format!("{:?}", Reply::deny("Not in production.")).contains("production"));
/// assert!(format!("{:?}", Reply::answer("Blue.")).contains("Blue."));
/// assert!(format!("{:?}", Reply::answer(ToolError::new("The user has left."))).contains("has left"));
/// ```
pub struct Reply(pub(super) Said);

pub(super) enum Said {
    Yes,
    Completed(Completion),
}

impl Reply {
    /// Runs the call with the arguments that were deferred.
    pub const fn approve() -> Self {
        Self(Said::Yes)
    }

    /// Refuses the call. The model reads the reason in a failure of the kind `denied`.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self(Said::Completed(Completion::denied(reason)))
    }

    /// Answers with this result or failure, without running the call.
    pub fn answer(answer: impl Into<Completion>) -> Self {
        Self(Said::Completed(answer.into()))
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Said::Yes => f.write_str("Reply(approve)"),
            Said::Completed(completion) => write!(f, "Reply({completion:?})"),
        }
    }
}

/// The host's answer to every deferred call.
pub(super) type Host = Arc<dyn Fn(&DeferredCall) -> Reply + Send + Sync>;
