//! Deferred calls and the host's answers to them, as JSON: [`AwaitingCall`] and [`HostAnswer`].

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tool_runtime::ToolError;
use tool_runtime::session::Completion;

/// A call that waits for the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AwaitingCall {
    /// The id of the call.
    pub call_id: String,
    /// The advertised name of the called tool.
    pub tool: String,
    /// The arguments with which the tool would run, as JSON text. They may contain values of sensitive fields.
    pub arguments: String,
    /// The id of the awakeable for which the conversation waits. The handler `answer` resolves this awakeable.
    pub awakeable: String,
}

/// An answer to a waiting call.
///
/// ```
/// use tool_durable::restate::{HostAnswer, AnsweredCall};
///
/// let answer = AnsweredCall::new("call_7", HostAnswer::Denied { reason: "Not on Fridays.".to_owned() });
/// assert_eq!(serde_json::to_string(&answer)?, r#"{"call_id":"call_7","answer":{"denied":{"reason":"Not on Fridays."}}}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AnsweredCall {
    /// The id of the call.
    pub call_id: String,
    /// The answer.
    pub answer: HostAnswer,
}

impl AnsweredCall {
    /// Creates the answer to a call.
    pub fn new(call_id: impl Into<String>, answer: HostAnswer) -> Self {
        Self { call_id: call_id.into(), answer }
    }
}

/// The host's answer to a deferred call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum HostAnswer {
    /// The call is approved, and the tool runs.
    Approved {
        /// The values for the host parameters of the tool.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        values: Map<String, Value>,
    },
    /// The call is rejected, and the model reads the reason.
    Denied {
        /// The reason.
        reason: String,
    },
    /// The call is answered with this result, and the tool does not run.
    Completed {
        /// The result: a text, or another JSON value.
        result: Value,
    },
    /// The call is answered with a failure, and the tool does not run.
    Failed {
        /// The message for the model.
        message: String,
    },
}

impl HostAnswer {
    /// Returns the values of an approval. Otherwise, returns the completion of the call as the error.
    pub(super) fn into_completion(self) -> Result<Map<String, Value>, Completion> {
        Err(match self {
            Self::Approved { values } => return Ok(values),
            Self::Denied { reason } => Completion::denied(reason),
            Self::Completed { result: Value::String(text) } => text.into(),
            Self::Completed { result } => result.into(),
            Self::Failed { message } => ToolError::new(message).into(),
        })
    }
}
