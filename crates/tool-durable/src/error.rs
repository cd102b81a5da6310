//! Errors of durable conversations: [`DurableError`].

use tool_chat::run::UnexpectedRecordError;
use tool_runtime::session::{CompletionError, RestoreError, SnapshotError};
use tool_runtime::toolbox::MissingSessionState;

use crate::store::StoreError;

/// The reason why an operation on a conversation failed. The records of the conversation are kept, so it can be opened again.
///
/// ```
/// use tool_durable::{DurableError, store::StoreError};
///
/// let error = DurableError::from(StoreError::Busy { conversation: "order 7".to_owned() });
/// assert_eq!(error.to_string(), "the conversation `order 7` is already open, here or in another process");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DurableError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A record of the log is not a record of a conversation, or was written by a newer version of this crate.
    #[error("record {number} of the conversation cannot be read: {reason}")]
    Unreadable {
        /// The number of the record, from 0.
        number: usize,
        /// The reason.
        reason: String,
    },
    /// A record cannot be written as JSON.
    #[error("a record of the conversation cannot be written: {error}")]
    Unwritable {
        /// The error of the serializer.
        error: serde_json::Error,
    },
    /// The session cannot be saved.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// The session cannot be restored.
    #[error(transparent)]
    Restore(#[from] RestoreError),
    /// The toolbox declares a state that the setup does not provide.
    #[error(transparent)]
    MissingState(#[from] MissingSessionState),
    /// A record does not fit the run.
    #[error(transparent)]
    Record(#[from] UnexpectedRecordError),
    /// A future of this conversation was dropped, or failed, before its work was recorded.
    #[error("an earlier operation was not completed: open the conversation again")]
    Interrupted,
    /// The conversation has no prompt yet, so there is no turn to continue.
    #[error("the conversation has no prompt yet")]
    NoPrompt,
    /// No call with this id waits for the host.
    #[error("the conversation does not wait for the call `{call_id}`")]
    NotDeferred {
        /// The id of the call.
        call_id: String,
    },
    /// The clock has no timer, so a call could wait for its shared health without a limit.
    #[error(
        "the clock has no timer: use `TokioClock` (feature `tokio` of tool-runtime), or another clock that has one"
    )]
    NoTimer,
    /// The session does not accept the answer to a deferred call.
    #[error(transparent)]
    Completion(#[from] CompletionError),
}
