//! Recognizes HTTP errors: [`issue`] in the answers to requests, and [`is_unreachable`] in the handshake.
//!
//! Invariant: an HTTP error does not end the connection.

use std::time::Duration;

use rmcp::ServiceError;
use rmcp::service::ClientInitializeError;
use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use super::fault::Fault;
use super::line_transport::{TOO_LONG, UNREADABLE, replaced};

/// Returns the issue of a request that the server answered with an HTTP error.
pub(super) fn fault(error: &ServiceError) -> Option<Fault> {
    let ServiceError::TransportSend(DynamicTransportError { error, .. }) = error else { return None };
    let status = |status| Fault::Status { status, retry_after: None, challenge: None };
    let challenged =
        |status, challenge: &str| Fault::Status { status, retry_after: None, challenge: Some(challenge.to_owned()) };
    match error.downcast_ref::<StreamableHttpError<reqwest::Error>>()? {
        StreamableHttpError::ResponseBodyTooLarge { .. } => Some(Fault::Rejected(replaced(TOO_LONG))),
        StreamableHttpError::HttpStatus(error) => {
            let seconds = error.retry_after.as_deref().and_then(|pause| pause.trim().parse().ok());
            let retry_after = seconds.map(Duration::from_secs);
            Some(Fault::Status { status: error.status, retry_after, challenge: None })
        }
        StreamableHttpError::UnexpectedServerResponse(text) => {
            Some(status_of(text).map_or_else(|| Fault::Rejected(replaced(UNREADABLE)), status))
        }
        StreamableHttpError::AuthRequired(error) => Some(challenged(401, &error.www_authenticate_header)),
        StreamableHttpError::InsufficientScope(error) => Some(challenged(403, &error.www_authenticate_header)),
        _ => None,
    }
}

/// Returns `true` if no connection to the server could be made during the handshake, so that nothing is known about the server.
pub(super) fn is_unreachable(error: &ClientInitializeError) -> bool {
    let ClientInitializeError::TransportError { error: DynamicTransportError { error, .. }, .. } = error else {
        return false;
    };
    matches!(error.downcast_ref(), Some(StreamableHttpError::<reqwest::Error>::Client(error)) if error.is_connect())
}

/// Returns the status from the error text that the transport creates for a rejected request, such as `HTTP 403 Forbidden: …`.
fn status_of(text: &str) -> Option<u16> {
    text.strip_prefix("HTTP ")?.get(..3)?.parse().ok()
}
