//! A transport whose messages are observed in order: [`ObservedTransport`].
//!
//! In: messages of any transport. Out: the same messages, without progress reports and log messages. These are handled here, so rmcp does
//! not start a task for each. Invariant: the end of the transport ends the connection.

use std::sync::Arc;

use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, RequestMetaObject, ServerJsonRpcMessage, ServerNotification};
use rmcp::transport::Transport;

use super::shared_connection_state::{ConnectionState, Route};

/// A transport that reports what it observes to the events of its connection.
pub(super) struct ObservedTransport<T> {
    inner: T,
    events: Arc<ConnectionState>,
}

impl<T> ObservedTransport<T> {
    pub(super) fn new(inner: T, events: Arc<ConnectionState>) -> Self {
        Self { inner, events }
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for ObservedTransport<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        mut message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        // The route is added before the request is sent, so that no report comes too early.
        if let ClientJsonRpcMessage::Request(request) = &mut message
            && let ClientRequest::CallToolRequest(call) = &mut request.request
            && let Some(route) = call.extensions.remove::<Arc<Route>>()
            && let Some(token) =
                call.extensions.get::<RequestMetaObject>().and_then(RequestMetaObject::get_progress_token)
        {
            self.events.add_route(token, route);
        }
        self.inner.send(message)
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let Some(message) = self.inner.receive().await else {
                self.events.end("the connection was closed");
                return None;
            };
            let ServerJsonRpcMessage::Notification(notification) = &message else { return Some(message) };
            match &notification.notification {
                ServerNotification::ProgressNotification(progress) => self.events.report(&progress.params),
                ServerNotification::LoggingMessageNotification(_) => {}
                ServerNotification::ToolListChangedNotification(_) => {
                    self.events.outdate();
                    return Some(message);
                }
                _ => return Some(message),
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.events.end("the connection was closed");
        self.inner.close().await
    }
}
