//! The error for a record that does not fit: [`UnexpectedRecordError`].

/// The reason why a record does not fit the state of a run. The run is not changed.
///
/// ```
/// use tool_chat::model::Response;
/// use tool_chat::run::{Record, UnexpectedRecordError, Run};
///
/// let rejected = Run::new().apply_record(Record::from_model_answer(Response::from_text("Noon.")));
/// assert_eq!(rejected, Err(UnexpectedRecordError::NotAsked));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnexpectedRecordError {
    /// The record is an answer or an error of the model, and the run does not wait for one.
    #[error("the model was not asked")]
    NotAsked,
    /// The record is about a call, and no calls are open.
    #[error("no calls are open")]
    NoOpenCalls,
    /// The step has no call with this index, or the call already has an outcome.
    #[error("call {call} of the step is not open")]
    NotOpen {
        /// The index.
        call: usize,
    },
    /// The outcome has the id of another call.
    #[error("the outcome of `{found}` does not belong to the call `{expected}`")]
    OtherCall {
        /// The id of the call.
        expected: String,
        /// The id in the outcome.
        found: String,
    },
    /// The call waits for its answer, but the outcome is another deferral.
    #[error("the outcome of the call `{call_id}` is not an answer: it is deferred")]
    NoAnswer {
        /// The id of the call.
        call_id: String,
    },
    /// No turn can be stopped, because none runs.
    #[error("no turn runs")]
    NoTurn,
}
