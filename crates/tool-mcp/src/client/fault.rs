//! The reason why a request has no response: [`Fault`].

use std::time::Duration;

use rmcp::model::ErrorData;

/// The reason why a request has no response.
#[derive(Debug)]
pub(super) enum Fault {
    /// The connection ended, for this reason.
    Ended(String),
    /// The server did not answer in time.
    Silent(Duration),
    /// The server answered with a protocol error.
    Rejected(ErrorData),
    /// The server answered with an HTTP error status. It may say how long to wait before the next request, or what authorization it requires.
    #[cfg(feature = "http-client")]
    Status { status: u16, retry_after: Option<Duration>, challenge: Option<String> },
}
