//! The reasons why a server cannot be used: [`ConnectError`] and [`SkippedTool`].

use std::io;
use std::time::Duration;

use rmcp::service::ClientInitializeError;

use super::fault::Fault;
use crate::private::bounded;

/// The reason why a connection to a server failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The process could not be started, or the streams could not be opened.
    #[error("the server cannot be reached: {0}")]
    Open(#[source] io::Error),
    /// The server did not start in time.
    #[error("the server did not answer within {0:?}")]
    TimedOut(Duration),
    /// The handshake failed.
    #[error("the handshake failed: {0}")]
    Handshake(String),
    /// The server requires authorization: it answered with the HTTP status 401 or 403 and a challenge.
    #[error("the server requires authorization")]
    Unauthorized {
        /// The challenge, which is the value of the header `WWW-Authenticate`.
        challenge: String,
    },
    /// The server did not list its tools.
    #[error("the tools cannot be listed: {0}")]
    List(String),
    /// The host closed the connection.
    #[error("the connection is closed")]
    Closed,
}

impl ConnectError {
    /// Maps the error of a handshake.
    pub(super) fn at_handshake(error: &ClientInitializeError) -> Self {
        #[cfg(feature = "http-client")]
        if let Some(challenge) = error.auth_challenge() {
            return Self::Unauthorized { challenge: challenge.to_owned() };
        }
        Self::Handshake(error.to_string())
    }

    /// Maps the issue of a list.
    pub(super) fn at_list(fault: Fault) -> Self {
        Self::List(match fault {
            Fault::Ended(reason) => reason,
            Fault::Silent(patience) => format!("the server did not answer within {patience:?}"),
            Fault::Rejected(error) => bounded::sentence(&error.message, 300).into_owned(),
            #[cfg(feature = "http-client")]
            Fault::Status { challenge: Some(challenge), .. } => return Self::Unauthorized { challenge },
            #[cfg(feature = "http-client")]
            Fault::Status { status, .. } => format!("the server answered with the HTTP status {status}"),
        })
    }
}

/// A tool of a server that cannot be offered to the model, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkippedTool {
    /// The name that the server gave the tool, cut to 64 characters.
    pub name: String,
    /// The reason.
    pub reason: String,
}
