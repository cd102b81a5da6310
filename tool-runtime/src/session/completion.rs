//! The host's answer to a deferred call: [`Completion`].
//!
//! In: a result, a failure, or a human's refusal. Out: a value of one type, for `session.complete`. Invariant: a result that was passed as
//! JSON text is valid JSON.

use crate::failure::ToolError;
use crate::issue::Path;
use crate::tool::Payload;

/// The host's answer to a deferred call.
///
/// There are `From` conversions for a text, a JSON value, `()`, a [`Payload`], a [`ToolError`], and a `Result` of a
/// payload or an error.
///
/// ```
/// use serde_json::json;
/// use tool_runtime::ToolError;
/// use tool_runtime::session::Completion;
///
/// let answers: [Completion; 6] = [
///     "blue".into(),
///     json!({"colour": "blue"}).into(),
///     ().into(),
///     ToolError::new("The user has left.").into(),
///     Completion::denied("The user said no."),
///     Completion::cancelled(),
/// ];
/// assert_eq!(answers.len(), 6);
/// ```
#[derive(Debug)]
pub struct Completion(pub(super) Answered);

#[derive(Debug)]
pub(super) enum Answered {
    Result(Payload),
    Failed(ToolError),
    Denied(String),
    Cancelled,
}

impl Completion {
    /// Refuses the call: the model reads the reason as the failure `denied`.
    ///
    /// ```
    /// use tool_runtime::session::Completion;
    ///
    /// assert!(format!("{:?}", Completion::denied("The user said no.")).contains("said no"));
    /// ```
    pub fn denied(reason: impl Into<String>) -> Self {
        Self(Answered::Denied(reason.into()))
    }

    /// Gives up the call: the model reads the failure `cancelled`.
    ///
    /// ```
    /// use tool_runtime::session::Completion;
    ///
    /// assert_eq!(format!("{:?}", Completion::cancelled()), "Completion(Cancelled)");
    /// ```
    pub const fn cancelled() -> Self {
        Self(Answered::Cancelled)
    }
}

impl<T: Into<Payload>> From<T> for Completion {
    fn from(result: T) -> Self {
        Self(Answered::Result(result.into()))
    }
}

impl From<ToolError> for Completion {
    fn from(error: ToolError) -> Self {
        Self(Answered::Failed(error))
    }
}

impl<T: Into<Payload>> From<Result<T, ToolError>> for Completion {
    fn from(result: Result<T, ToolError>) -> Self {
        match result {
            Ok(result) => Self(Answered::Result(result.into())),
            Err(error) => error.into(),
        }
    }
}

/// The reason why the host's answer to a deferred call was not accepted.
///
/// ```
/// use tool_runtime::session::CompletionError;
///
/// let session = tool_runtime::Toolbox::builder().build()?.session();
/// let error = session.complete("call_1", "blue").err();
/// assert_eq!(error, Some(CompletionError::NotWaiting { call_id: "call_1".to_owned() }));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompletionError {
    /// No call with this id waits.
    #[error(
        "no call `{call_id}` waits for an answer: it was never deferred, or has already been answered or cancelled"
    )]
    NotWaiting {
        /// The id.
        call_id: String,
    },
    /// A host parameter of the tool has no value, or an invalid one. The call stays deferred.
    #[error("`{tool}` cannot run the call `{call_id}`: {}", .issues.iter().map(|(_, message)| message.as_str()).collect::<Vec<_>>().join("; "))]
    HostArguments {
        /// The id.
        call_id: String,
        /// The tool.
        tool: String,
        /// The path and the message of each issue.
        issues: Vec<(Path, String)>,
    },
    /// The tool has no handler and cannot run: only `session.complete` can answer. The call stays deferred.
    #[error("the tool `{tool}` has no handler, so the call `{call_id}` can be completed, but not resumed")]
    NoHandler {
        /// The id.
        call_id: String,
        /// The tool.
        tool: String,
    },
}
