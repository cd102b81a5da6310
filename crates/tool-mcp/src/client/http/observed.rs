//! An HTTP client that records the definitions of a list before the transport of rmcp checks them: [`Observed`].
//!
//! From revision 2026-07-28 on, a client has to drop a tool with an invalid `x-mcp-header`, and the transport does so. A client also has to
//! send the headers of the other tools. The transport only does this if it can parse the whole list, so invalid definitions are removed
//! here. In: the responses to `tools/list`. Out: the same responses without invalid definitions. Invariant: other messages are not changed.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, ListToolsResult, ServerJsonRpcMessage, ServerResult,
};
use rmcp::transport::streamable_http_client::{
    StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse, StreamableHttpResponseLimits,
};
use sse_stream::{Error as SseError, Sse};

use super::super::events::Events;
use super::super::page::Page;

type Headers = HashMap<HeaderName, HeaderValue>;
type Answered<T, C> = Result<T, StreamableHttpError<<C as StreamableHttpClient>::Error>>;

/// An HTTP client whose lists of tools are recorded.
#[derive(Clone)]
pub(super) struct Observed<C> {
    inner: C,
    events: Arc<Events>,
}

impl<C> Observed<C> {
    pub(super) fn new(inner: C, events: Arc<Events>) -> Self {
        Self { inner, events }
    }
}

/// Records the definitions of a list, and removes the invalid definitions from the message.
fn record(events: &Events, message: ServerJsonRpcMessage) -> ServerJsonRpcMessage {
    let JsonRpcMessage::Response(mut response) = message else { return message };
    let Page { tools, cursor, ttl_ms } = Page::of(response.result);
    let valid = tools.iter().filter_map(|tool| tool.as_ref().ok().cloned()).collect();
    events.receive_list(tools);
    let list = ListToolsResult { next_cursor: cursor, ttl_ms, ..ListToolsResult::with_all_items(valid) };
    response.result = ServerResult::ListToolsResult(list);
    JsonRpcMessage::Response(response)
}

/// Records the list in an event of a stream, and removes its invalid definitions. Events without a list are not changed.
fn record_event(events: &Events, mut event: Sse) -> Sse {
    let message = event.data.as_deref().and_then(|data| serde_json::from_str(data).ok());
    if let Some(message @ JsonRpcMessage::Response(_)) = message
        && let Ok(data) = serde_json::to_string(&record(events, message))
    {
        event.data = Some(data);
    }
    event
}

impl<C: StreamableHttpClient + Sync> StreamableHttpClient for Observed<C> {
    type Error = C::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Answered<StreamableHttpPostResponse, C> {
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
    ) -> Answered<StreamableHttpPostResponse, C> {
        let is_list = matches!(&message, JsonRpcMessage::Request(request)
            if matches!(request.request, ClientRequest::ListToolsRequest(_)));
        let posted =
            self.inner.post_message_with_response_limits(uri, message, session_id, auth_header, custom_headers, limits);
        let response = posted.await?;
        Ok(match response {
            StreamableHttpPostResponse::Json(message, session) if is_list => {
                StreamableHttpPostResponse::Json(record(&self.events, message), session)
            }
            StreamableHttpPostResponse::Sse(stream, session) if is_list => {
                let events = Arc::clone(&self.events);
                let recorded = stream.map(move |event| event.map(|event| record_event(&events, event)));
                StreamableHttpPostResponse::Sse(recorded.boxed(), session)
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
    ) -> Answered<(), C> {
        self.inner.delete_session(uri, session_id, auth_header, custom_headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Answered<BoxStream<'static, Result<Sse, SseError>>, C> {
        self.inner.get_stream(uri, session_id, last_event_id, auth_header, custom_headers).await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: Headers,
        max_sse_event_size: usize,
    ) -> Answered<BoxStream<'static, Result<Sse, SseError>>, C> {
        let (inner, size) = (&self.inner, max_sse_event_size);
        inner
            .get_stream_with_max_sse_event_size(uri, session_id, last_event_id, auth_header, custom_headers, size)
            .await
    }
}
