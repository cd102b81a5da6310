//! Servers with a URL: the transport of rmcp, and the meaning of its errors.
//!
//! The transport bounds every response itself. Invariant: an answer that is an error of HTTP does not end the connection.

use std::time::Duration;

use rmcp::ServiceError;
use rmcp::model::ErrorData;
use rmcp::transport::streamable_http_client::{StreamableHttpClientTransportConfig, StreamableHttpError};
use rmcp::transport::{DynamicTransportError, StreamableHttpClientTransport};

use super::fault::Fault;
use super::wire::TOO_LONG;

/// Creates a transport whose responses have at most `limit` bytes.
pub(super) fn transport(
    config: StreamableHttpClientTransportConfig,
    limit: usize,
) -> StreamableHttpClientTransport<reqwest::Client> {
    StreamableHttpClientTransport::from_config(config.max_sse_event_size(limit).max_json_response_size(limit))
}

/// Returns the fault of a request that the server answered with an error of HTTP.
pub(super) fn fault(error: &ServiceError) -> Option<Fault> {
    let ServiceError::TransportSend(DynamicTransportError { error, .. }) = error else { return None };
    match error.downcast_ref::<StreamableHttpError<reqwest::Error>>()? {
        StreamableHttpError::ResponseBodyTooLarge { .. } => Some(Fault::Refused(ErrorData::new(TOO_LONG, "", None))),
        StreamableHttpError::HttpStatus(status) => {
            let seconds = status.retry_after.as_deref().and_then(|pause| pause.trim().parse().ok());
            Some(Fault::Status { status: status.status, retry_after: seconds.map(Duration::from_secs) })
        }
        _ => None,
    }
}
