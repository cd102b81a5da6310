//! Errors of chat models: [`ModelError`].

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// An error of a model or its client.
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
    /// The kind of the error.
    pub kind: ModelErrorKind,
    /// The message of the client.
    pub message: String,
}

impl ModelError {
    /// Creates an error.
    pub fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

/// The kind of a model's error.
///
/// ```
/// use tool_chat::model::ModelErrorKind;
///
/// assert_eq!(ModelErrorKind::RateLimited { retry_after: None }.to_string(), "the provider asks the client to wait");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// The model was not reached, or the connection broke.
    #[error("the model cannot be reached")]
    Transport,
    /// The provider asks the client to wait.
    #[error("the provider asks the client to wait")]
    RateLimited {
        /// The pause that the provider asks for, if it says how long.
        retry_after: Option<Duration>,
    },
    /// The provider rejects this request, for example because of missing credit, an unknown model, or a malformed request.
    #[error("the provider rejected the request")]
    #[serde(alias = "refused")]
    Rejected,
    /// The response is not a valid answer.
    #[error("the answer of the model cannot be parsed")]
    Malformed,
    /// The request differs from the recorded conversation.
    #[error("the recording does not match the conversation")]
    Mismatch,
}
