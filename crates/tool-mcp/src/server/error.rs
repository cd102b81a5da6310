//! The error of a connection: [`ServeError`].

use rmcp::service::ServerInitializeError;
use tool_runtime::toolbox::MissingSessionState;

/// The error of a connection that did not begin as the protocol requires, or that failed later.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The connection did not begin with a request that the protocol allows.
    #[error("the connection did not begin as the protocol requires: {0}")]
    Start(String),
    /// [`Server::states`](super::Server::states) does not create a state that the toolbox declares.
    #[error("{0}: create it in `Server::states`")]
    MissingState(#[from] MissingSessionState),
    /// The connection failed.
    #[error("the connection failed: {0}")]
    Connection(String),
}

impl ServeError {
    /// Converts an error at the start of a connection. It is not an error if the client closes the connection before its first request.
    pub(super) fn at_start(error: &ServerInitializeError) -> Result<(), Self> {
        match error {
            ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled => Ok(()),
            // The client's message may contain anything, so the error does not repeat it.
            ServerInitializeError::ExpectedInitializeRequest(_) => {
                Err(Self::Start("the first message was not a request".to_owned()))
            }
            error => Err(Self::Start(error.to_string())),
        }
    }

    pub(super) fn failed(error: &impl std::fmt::Display) -> Self {
        Self::Connection(error.to_string())
    }
}
