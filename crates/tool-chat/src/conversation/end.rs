//! How a turn ended: [`End`].

use std::time::Duration;

use tool_runtime::Issue;

use crate::model::{ModelError, StopReason};

/// How a turn ended.
///
/// ```
/// use tool_chat::conversation::{End, Limit};
///
/// let end = End::Limited { limit: Limit::Calls(100) };
/// assert!(end.text().is_none());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum End {
    /// The model answered without calling.
    Answered {
        /// What it said.
        text: String,
        /// Why it ended: an answer may be [cut off](StopReason::Length), or [withheld](StopReason::Filtered).
        stop: StopReason,
    },
    /// A call was refused again and again.
    Exhausted {
        /// The tool, or the name that was called where there is none.
        tool: String,
        /// How often it was refused in a row.
        attempts: usize,
        /// What was wrong with the arguments the last time; empty where the arguments were not to blame.
        issues: Vec<Issue>,
    },
    /// The turn took all that it might.
    Limited {
        /// Of what.
        limit: Limit,
    },
    /// Calls wait for the host, and everything else of the step has run. The turn goes on with [`resume`] once each of them is [`answered`].
    ///
    /// [`answered`]: crate::conversation::Conversation::answered
    /// [`resume`]: crate::conversation::Conversation::resume
    Deferred {
        /// The calls, in the order in which the model made them.
        call_ids: Vec<String>,
    },
    /// The model did not answer.
    Failed {
        /// Why.
        error: ModelError,
    },
}

/// What a turn took too much of, with what it may take.
///
/// ```
/// use tool_chat::conversation::Limit;
///
/// assert_ne!(Limit::Steps(25), Limit::Calls(25));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// Answers of the model.
    Steps(usize),
    /// Calls; those of the last answer were not made.
    Calls(usize),
    /// Tokens, read and written.
    Tokens(u64),
    /// Time.
    Time(Duration),
}

impl End {
    /// What the model answered; `None` where it did not.
    ///
    /// ```
    /// use tool_chat::conversation::End;
    ///
    /// let end = End::Answered { text: "Noon.".to_owned(), stop: tool_chat::model::StopReason::Finished };
    /// assert_eq!(end.text(), Some("Noon."));
    /// ```
    pub fn text(&self) -> Option<&str> {
        if let Self::Answered { text, .. } = self { Some(text) } else { None }
    }
}
