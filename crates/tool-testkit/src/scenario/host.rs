//! What the host answers in a scenario where calls wait for it: [`Reply`].

use std::fmt;
use std::sync::Arc;

use tool_runtime::session::{Completion, DeferredCall};

/// What the host says to a call that waits.
///
/// ```
/// use tool_testkit::Reply;
///
/// let replies = [Reply::approve(), Reply::deny("Not in production."), Reply::answer("Blue.")];
/// assert_eq!(format!("{:?}", replies[0]), "Reply(approve)");
/// ```
pub struct Reply(pub(super) Said);

pub(super) enum Said {
    Yes,
    Completed(Completion),
}

impl Reply {
    /// The call runs, with the arguments that were deferred.
    ///
    /// ```
    /// # use tool_testkit::Reply;
    /// assert_eq!(format!("{:?}", Reply::approve()), "Reply(approve)");
    /// ```
    pub const fn approve() -> Self {
        Self(Said::Yes)
    }

    /// The call does not run: the model reads the reason as the failure `denied`.
    ///
    /// ```
    /// # use tool_testkit::Reply;
    /// assert!(format!("{:?}", Reply::deny("Not in production.")).contains("production"));
    /// ```
    pub fn deny(reason: impl Into<String>) -> Self {
        Self(Said::Completed(Completion::denied(reason)))
    }

    /// The call does not run: this is its result, or its failure.
    ///
    /// ```
    /// use tool_runtime::ToolError;
    /// use tool_testkit::Reply;
    ///
    /// assert!(format!("{:?}", Reply::answer("Blue.")).contains("Blue."));
    /// assert!(format!("{:?}", Reply::answer(ToolError::new("The user has left."))).contains("has left"));
    /// ```
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

/// How a host answers whatever waits.
pub(super) type Host = Arc<dyn Fn(&DeferredCall) -> Reply + Send + Sync>;
