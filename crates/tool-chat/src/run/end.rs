//! The end of a turn: [`TurnEnd`].

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tool_runtime::Issue;

use crate::model::{ModelError, StopReason};

/// The end of a turn.
///
/// ```
/// use tool_chat::conversation::{Conversation, TurnEnd, TurnLimit, TurnLimits};
/// use tool_chat::model::ScriptedModel;
/// use tool_runtime::Toolbox;
///
/// let mut limits = TurnLimits::default();
/// limits.steps = Some(1);
/// let model = ScriptedModel::new().text("Noon.").call("now", "{}");
/// let mut conversation = Conversation::new(Toolbox::builder().build()?.session(), model).limits(limits);
///
/// let end = pollster::block_on(conversation.ask("What time is it?"));
/// assert_eq!(end.text(), Some("Noon."));
/// let end = pollster::block_on(conversation.ask("And now?"));
/// assert!(matches!(end, TurnEnd::Limited { limit: TurnLimit::Steps(1) }) && end.text().is_none());
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TurnEnd {
    /// The model answered without a call.
    Answered {
        /// The text of the answer.
        text: String,
        /// The reason why the answer ended. The text may be [cut off](StopReason::Length), or partly [withheld](StopReason::Filtered).
        stop: StopReason,
    },
    /// Calls of one tool were rejected repeatedly.
    Exhausted {
        /// The tool, or the name that the model called if there is no such tool.
        tool: String,
        /// The number of rejections in a row.
        attempts: usize,
        /// The issues of the last arguments; empty if the calls were rejected for another reason.
        issues: Vec<Issue>,
    },
    /// The model was asked for an answer of a type, and its answers were rejected repeatedly.
    Rejected {
        /// The number of rejected answers.
        attempts: usize,
        /// The issues of the last answer.
        issues: Vec<Issue>,
    },
    /// The turn reached a limit.
    Limited {
        /// The limit.
        limit: TurnLimit,
    },
    /// Calls wait for the host, and all other calls of the step have run. Pass an answer to each waiting call to [`answered`]; then
    /// [`resume`] continues the turn.
    ///
    /// [`answered`]: crate::conversation::Conversation::answer_deferred
    /// [`resume`]: crate::conversation::Conversation::resume
    Deferred {
        /// The ids of the calls, in the order of the calls.
        call_ids: Vec<String>,
    },
    /// The host stopped the turn.
    Stopped,
    /// The model did not answer.
    Failed {
        /// The error of the model.
        error: ModelError,
    },
}

/// A limit that a turn reached, with the value of the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TurnLimit {
    /// The maximum number of answers of the model.
    Steps(usize),
    /// The maximum number of calls. The calls of the last answer were not run, because they would have exceeded it.
    Calls(usize),
    /// The maximum number of input and output tokens.
    Tokens(u64),
    /// The maximum duration.
    Time(Duration),
}

impl TurnEnd {
    /// Returns the answer of the model, or `None` if the turn ended differently.
    pub fn text(&self) -> Option<&str> {
        if let Self::Answered { text, .. } = self { Some(text) } else { None }
    }
}
