//! Why a model did not answer: [`ModelError`].

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Why a model did not answer.
///
/// ```
/// use tool_chat::model::{ModelError, ModelErrorKind};
///
/// let error = ModelError::new(ModelErrorKind::Transport, "connection reset");
/// assert_eq!(error.to_string(), "the model cannot be reached: connection reset");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{kind}: {message}")]
#[non_exhaustive]
pub struct ModelError {
    /// What kind of obstacle it was.
    pub kind: ModelErrorKind,
    /// What the client says of it.
    pub message: String,
}

impl ModelError {
    /// An error.
    ///
    /// ```
    /// use tool_chat::model::{ModelError, ModelErrorKind};
    ///
    /// assert_eq!(ModelError::new(ModelErrorKind::Refused, "no such model").message, "no such model");
    /// ```
    pub fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

/// What kept a model from answering.
///
/// ```
/// use tool_chat::model::ModelErrorKind;
///
/// assert_eq!(ModelErrorKind::RateLimited { retry_after: None }.to_string(), "the model asks for a pause");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// It was not reached, or the connection broke.
    #[error("the model cannot be reached")]
    Transport,
    /// The provider asks for a pause.
    #[error("the model asks for a pause")]
    RateLimited {
        /// How long, where it says so.
        retry_after: Option<Duration>,
    },
    /// The provider does not serve this request: no credit, no such model, a request that it cannot read.
    #[error("the model refused the request")]
    Refused,
    /// It answered something that is no answer.
    #[error("the answer of the model cannot be read")]
    Malformed,
    /// A recorded conversation does not go on like this.
    #[error("the recording does not match")]
    Mismatch,
}
