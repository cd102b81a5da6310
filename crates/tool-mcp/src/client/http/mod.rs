//! Servers with a URL, over the transport of rmcp.
//!
//! The transport bounds the size of every response itself. Invariant: a definition that the transport drops is reported.

mod delayed_end;
mod record_tool_lists;
mod redacted_url;

use std::pin::Pin;
use std::sync::Arc;

use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, StatusCode};
use rmcp::service::ClientInitializeError;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::{StreamableHttpClient, StreamableHttpClientTransportConfig};

use super::connection::{Connection, Opening};
use record_tool_lists::ListRecordingClient;
pub use redacted_url::redacted_url;

const MOST_REDIRECTS: usize = 10;

/// The result of a handshake over HTTP, or the reason why no client could be made.
pub(super) type Connected = Result<Result<Connection, ClientInitializeError>, reqwest::Error>;

/// A function that opens a connection. The second argument is the maximum number of bytes of a response.
pub(super) type Open = Arc<dyn Fn(Opening, usize) -> Pin<Box<dyn Future<Output = Connected> + Send>> + Send + Sync>;

/// Returns a function that opens connections with this client, or with a new client each time if there is none.
pub(super) fn open<C>(client: Option<C>, config: StreamableHttpClientTransportConfig) -> Open
where
    C: StreamableHttpClient<Error = reqwest::Error> + Sync,
{
    Arc::new(move |opening, limit| {
        let (client, config) = (client.clone(), config.clone());
        let config = config.max_sse_event_size(limit).max_json_response_size(limit);
        Box::pin(async move {
            Ok(match client {
                Some(client) => connect(client, config, opening).await,
                // A request on a reused TCP connection may wait for the delayed acknowledgement of an earlier response.
                None => connect(client_builder().pool_max_idle_per_host(0).build()?, config, opening).await,
            })
        })
    })
}

async fn connect<C>(
    client: C,
    config: StreamableHttpClientTransportConfig,
    opening: Opening,
) -> Result<Connection, ClientInitializeError>
where
    C: StreamableHttpClient<Error = reqwest::Error> + Sync,
{
    let client = ListRecordingClient::new(client, Arc::clone(&opening.events));
    Connection::open(StreamableHttpClientTransport::with_client(client, config), opening).await
}

/// Returns the builder of a client that only follows redirects that keep the body and stay within the same origin, so that neither a call nor
/// a token reaches another server.
pub fn client_builder() -> ClientBuilder {
    let policy = Policy::custom(|attempt| {
        let keeps_body = matches!(attempt.status(), StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT);
        let is_same_origin = attempt.previous().last().is_some_and(|url| url.origin() == attempt.url().origin());
        if keeps_body && is_same_origin && attempt.previous().len() <= MOST_REDIRECTS {
            attempt.follow()
        } else {
            attempt.stop()
        }
    });
    Client::builder().redirect(policy)
}
