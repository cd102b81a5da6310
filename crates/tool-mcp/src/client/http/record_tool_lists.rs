//! An HTTP client that records the definitions of a list before the transport of rmcp checks them: [`ListRecordingClient`].
//!
//! From protocol version 2026-07-28 on, a client has to drop a tool with an invalid `x-mcp-header`, and the transport does so. A client also has to
//! send the headers of the other tools. The transport only does this if it can parse the whole list, so invalid definitions are removed
//! here. In: the responses to `tools/list`, also those on a stream that was broken off and resumed. Out: the same responses without invalid
//! definitions. Invariant: other messages are not changed.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::StreamExt as _;
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, ListToolsResult, RequestId, ServerJsonRpcMessage, ServerResult,
};
use rmcp::transport::streamable_http_client::{
    StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse, StreamableHttpResponseLimits,
};
use sse_stream::Sse;

use super::super::page::Page;
use super::super::shared_connection_state::ConnectionState;
use super::delayed_end::{Stream, delay_early_end};
use super::redacted_url::remove_url_secrets;

type Headers = HashMap<HeaderName, HeaderValue>;
type Answered<T> = Result<T, StreamableHttpError<reqwest::Error>>;

/// An HTTP client whose lists of tools are recorded.
#[derive(Clone)]
pub(super) struct ListRecordingClient<C> {
    inner: C,
    lists: Arc<Lists>,
}

impl<C> ListRecordingClient<C> {
    pub(super) fn new(inner: C, events: Arc<ConnectionState>) -> Self {
        Self { inner, lists: Arc::new(Lists { events, requested: Mutex::default() }) }
    }
}

/// The lists that are received, one after the other.
struct Lists {
    events: Arc<ConnectionState>,
    /// The last request for a list, if its response has not been received.
    requested: Mutex<Option<RequestId>>,
}

impl Lists {
    fn requested(&self) -> MutexGuard<'_, Option<RequestId>> {
        // No code under the lock can panic.
        self.requested.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the definitions of a list, and removes the invalid definitions. Returns `false` for other messages, which are not changed.
    fn record(&self, message: &mut ServerJsonRpcMessage) -> bool {
        let JsonRpcMessage::Response(response) = message else { return false };
        if self.requested().take_if(|id| *id == response.id).is_none() {
            return false;
        }
        let Page { tools, cursor, ttl_ms } = Page::of(mem::replace(&mut response.result, ServerResult::empty(())));
        let valid = tools.iter().filter_map(|tool| tool.as_ref().ok().cloned()).collect();
        self.events.receive_list(tools);
        let list = ListToolsResult { next_cursor: cursor, ttl_ms, ..ListToolsResult::with_all_items(valid) };
        response.result = ServerResult::ListToolsResult(list);
        true
    }

    fn record_event(&self, mut event: Sse) -> Sse {
        if self.requested().is_some()
            && let Some(Ok(mut message)) = event.data.as_deref().map(serde_json::from_str)
            && self.record(&mut message)
            && let Ok(data) = serde_json::to_string(&message)
        {
            event.data = Some(data);
        }
        event
    }

    /// Records the list in a stream of events.
    fn record_events(self: Arc<Self>, events: Stream) -> Stream {
        events.map(move |event| event.map(|event| self.record_event(event))).boxed()
    }

    /// Records the list in a stream that the server may end at once.
    fn record_requested(self: Arc<Self>, events: Stream) -> Stream {
        let clock = Arc::clone(&self.events.clock);
        self.record_events(delay_early_end(events, clock))
    }
}

/// Hides the secrets in the URL of an error, because errors are logged.
fn without_secrets(mut error: StreamableHttpError<reqwest::Error>) -> StreamableHttpError<reqwest::Error> {
    if let StreamableHttpError::Client(error) = &mut error
        && let Some(url) = error.url_mut()
    {
        remove_url_secrets(url);
    }
    error
}

impl<C: StreamableHttpClient<Error = reqwest::Error> + Sync> StreamableHttpClient for ListRecordingClient<C> {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Answered<StreamableHttpPostResponse> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session_id, auth_header, custom_headers, limits).await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: Headers,
        limits: StreamableHttpResponseLimits,
    ) -> Answered<StreamableHttpPostResponse> {
        let is_list = if let JsonRpcMessage::Request(request) = &message
            && let ClientRequest::ListToolsRequest(_) = &request.request
        {
            *self.lists.requested() = Some(request.id.clone());
            true
        } else {
            false
        };
        let posted =
            self.inner.post_message_with_response_limits(uri, message, session_id, auth_header, custom_headers, limits);
        let response = posted.await.map_err(without_secrets)?;
        Ok(match response {
            StreamableHttpPostResponse::Json(mut message, session) if is_list => {
                self.lists.record(&mut message);
                StreamableHttpPostResponse::Json(message, session)
            }
            StreamableHttpPostResponse::Sse(stream, session) if is_list => {
                StreamableHttpPostResponse::Sse(Arc::clone(&self.lists).record_events(stream), session)
            }
            response => response,
        })
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Answered<()> {
        self.inner.delete_session(uri, session_id, auth_header, custom_headers).await.map_err(without_secrets)
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Answered<Stream> {
        let stream = self.inner.get_stream(uri, session_id, last_event_id, auth_header, custom_headers).await;
        stream.map(|stream| Arc::clone(&self.lists).record_requested(stream)).map_err(without_secrets)
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: Headers,
        max_sse_event_size: usize,
    ) -> Answered<Stream> {
        let (inner, size) = (&self.inner, max_sse_event_size);
        let stream = inner
            .get_stream_with_max_sse_event_size(uri, session_id, last_event_id, auth_header, custom_headers, size)
            .await;
        stream.map(|stream| Arc::clone(&self.lists).record_requested(stream)).map_err(without_secrets)
    }
}
