//! The reasons why a server cannot be used: [`ConnectError`] and [`LeftOut`].

use std::io;
use std::time::Duration;

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
    /// The server did not list its tools.
    #[error("the tools cannot be listed: {0}")]
    List(String),
    /// The host closed the connection.
    #[error("the connection is closed")]
    Closed,
}

/// A tool of a server that cannot be offered to the model, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The name that the server gave the tool, cut to 64 characters.
    pub name: String,
    /// The reason.
    pub reason: String,
}
