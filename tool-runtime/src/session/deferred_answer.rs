//! The host's answer to a deferred call: [`Completion`].
//!
//! In: a result, a failure, or a human's rejection. Out: a value of one type, for `session.complete`. Invariant: a result that was passed as
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
/// use tool_runtime::session::{Completion, CompletionError};
/// use tool_runtime::tool::{ExternalTool, ToolSpec};
/// use tool_runtime::tool_schema::shape::{Ref, Shape};
/// use tool_runtime::{ToolError, Toolbox};
///
/// let ask_user = ExternalTool::from_spec(ToolSpec::new("ask_user", "Asks the user.", Ref::Static(Shape::ANY)));
/// let session = Toolbox::builder().tool(ask_user).build()?.session();
/// let text = |completion: Completion| {
///     assert!(pollster::block_on(session.call("call_1", "ask_user", "{}")).is_deferred());
///     session.complete("call_1", completion).map(|outcome| outcome.to_text().into_owned())
/// };
/// assert_eq!(text("blue".into())?, "blue");
/// assert_eq!(text(json!({"colour": "blue"}).into())?, r#"{"colour":"blue"}"#);
/// assert_eq!(text(().into())?, "done");
/// assert!(text(ToolError::new("The user has left.").into())?.contains("The user has left."));
/// assert!(text(Completion::denied("The user said no."))?.contains(r#""error_type":"denied""#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
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
    /// Rejects the call: the model reads the reason as the failure `denied`.
    pub fn denied(reason: impl Into<String>) -> Self {
        Self(Answered::Denied(reason.into()))
    }

    /// Gives up the call: the model reads the failure `cancelled`.
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
    /// Several calls with this id waited at the same time, so the id does not say which of them is meant. They stay deferred. Answer each
    /// with [`complete_call`](crate::Session::complete_call) or [`resume_call`](crate::Session::resume_call).
    #[error("the id `{call_id}` does not say which call is answered: several deferred calls have it")]
    Ambiguous {
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
