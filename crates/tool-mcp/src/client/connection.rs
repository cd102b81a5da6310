//! One connection to a server: [`Connection`].
//!
//! In: a request. Out: its response, or a [`Fault`]. Invariants: a request ends if the server sends no response and no progress report for
//! `patience`, and at once if the connection ends. A request whose future is dropped is cancelled on the server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rmcp::model::{ClientRequest, ProgressToken, ServerPeerInfo, ServerResult, SubscriptionFilter};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, ClientServiceExt, PeerRequestOptions, RequestHandle, RunningService,
};
use rmcp::transport::Transport;
use rmcp::{Peer, RoleClient, ServiceError};
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tool_runtime::CallContext;
use tool_runtime::clock::Clock;

use super::fault::Fault;
use super::handler::Handler;
use super::observed_transport::ObservedTransport;
use super::shared_connection_state::{ConnectionState, Route};

/// A connection to a server. It is closed when it is dropped.
pub(super) struct Connection {
    peer: Peer<RoleClient>,
    service: Mutex<Option<RunningService<RoleClient, Handler>>>,
    pub(super) events: Arc<ConnectionState>,
    clock: Arc<dyn Clock>,
    runtime: Handle,
    /// The maximum time that a request waits for a response or a progress report.
    patience: Duration,
    /// `true` once the server has answered a request.
    has_answered: AtomicBool,
}

/// The parts of a connection that do not depend on its transport.
pub(super) struct Opening {
    pub(super) handler: Handler,
    pub(super) lifecycle: ClientLifecycleMode,
    pub(super) events: Arc<ConnectionState>,
    pub(super) clock: Arc<dyn Clock>,
    /// The maximum time that a request waits for a response or a progress report.
    pub(super) patience: Duration,
}

impl Connection {
    /// Performs the handshake.
    pub(super) async fn open(
        transport: impl Transport<RoleClient> + 'static,
        opening: Opening,
    ) -> Result<Self, ClientInitializeError> {
        let Opening { handler, lifecycle, events, clock, patience } = opening;
        let watched = ObservedTransport::new(transport, Arc::clone(&events));
        let service = handler.serve_with_lifecycle(watched, lifecycle).await?;
        let connection = Self {
            peer: service.peer().clone(),
            service: Mutex::new(Some(service)),
            events,
            clock,
            runtime: Handle::current(),
            patience,
            has_answered: AtomicBool::new(false),
        };
        connection.subscribe();
        Ok(connection)
    }

    /// Asks a server of protocol version 2026-07-28 to report changes of its list of tools. Servers of older revisions report them to every client.
    fn subscribe(&self) {
        let Some(info) = self.info() else { return };
        let reports_changes = info.capabilities.tools.as_ref().is_some_and(|tools| tools.list_changed == Some(true));
        if info.protocol_version.has_initialize() || !reports_changes {
            return;
        }
        let peer = self.peer.clone();
        self.runtime.spawn(async move {
            let filter = SubscriptionFilter::builder().tools_list_changed().build();
            // The transport handles the reports, so they are ignored here. This task only keeps the subscription open until the connection
            // ends.
            if let Ok(mut subscription) = peer.listen(filter).await {
                while let Ok(Some(_)) = subscription.next().await {}
            }
        });
    }

    /// Returns the description that the server gave of itself.
    pub(super) fn info(&self) -> Option<Arc<ServerPeerInfo>> {
        self.peer.peer_info()
    }

    pub(super) fn has_answered(&self) -> bool {
        self.has_answered.load(Ordering::Relaxed)
    }

    /// Sends a request and waits for the response.
    pub(super) async fn request(&self, request: ClientRequest) -> Result<ServerResult, Fault> {
        self.request_with_progress(request, None).await.map(|(result, _)| result)
    }

    /// Sends a request and waits for the response. Progress reports go to the context of the call until the returned [`Routed`] is dropped,
    /// because a task also reports progress after this response.
    pub(super) async fn request_with_progress(
        &self,
        mut request: ClientRequest,
        cx: Option<&CallContext>,
    ) -> Result<(ServerResult, Routed<'_>), Fault> {
        let route = cx.map(|cx| Arc::new(Route::new(cx.clone())));
        if let (ClientRequest::CallToolRequest(call), Some(route)) = (&mut request, &route) {
            call.extensions.insert(Arc::clone(route));
        }
        let handle = tokio::select! {
            biased;
            handle = self.peer.send_cancellable_request(request, PeerRequestOptions::no_options()) => self.response(handle)?,
            reason = self.events.ended() => return Err(Fault::Ended(reason)),
            () = self.clock.sleep(self.patience) => return Err(Fault::Silent(self.patience)),
        };
        let routed = Routed { route: route.map(|route| (handle.progress_token.clone(), route)), connection: self };
        let result = Pending { handle: Some(handle), connection: self }.wait(&routed).await?;
        self.has_answered.store(true, Ordering::Relaxed);
        Ok((result, routed))
    }

    fn response<T>(&self, result: Result<T, ServiceError>) -> Result<T, Fault> {
        #[cfg(feature = "http-client")]
        if let Some(fault) = result.as_ref().err().and_then(super::http_fault::fault) {
            return Err(fault);
        }
        result.map_err(|error| match error {
            ServiceError::McpError(error) => Fault::Rejected(error),
            error => {
                let reason = self.events.end_of_connection().map_or_else(|| error.to_string(), |(_, reason)| reason);
                // If a message cannot be sent, the connection ends, so that the next call opens a new one.
                self.events.end(&*reason);
                Fault::Ended(reason)
            }
        })
    }

    /// Closes the connection, and waits until a child process has exited.
    pub(super) async fn close(&self) {
        self.events.end("the host closed the connection");
        if let Some(service) = self.service.lock().await.take() {
            let _ = service.cancel().await;
        }
    }
}

/// A guard: until it is dropped, the progress reports for a request reach its call.
pub(super) struct Routed<'c> {
    route: Option<(ProgressToken, Arc<Route>)>,
    connection: &'c Connection,
}

impl Routed<'_> {
    /// Returns the number of progress reports so far.
    pub(super) fn reports(&self) -> usize {
        self.route.as_ref().map_or(0, |(_, route)| route.reports())
    }
}

impl Drop for Routed<'_> {
    fn drop(&mut self) {
        if let Some((token, route)) = &self.route {
            self.connection.events.remove_route(token, route);
        }
    }
}

/// A request that waits for its response. The request is cancelled when this value is dropped.
struct Pending<'c> {
    handle: Option<RequestHandle<RoleClient>>,
    connection: &'c Connection,
}

impl Pending<'_> {
    async fn wait(mut self, routed: &Routed<'_>) -> Result<ServerResult, Fault> {
        let connection = self.connection;
        let Some(waited) = &mut self.handle else { return Err(Fault::Ended(String::new())) };
        loop {
            let before = routed.reports();
            tokio::select! {
                biased;
                response = &mut waited.rx => {
                    let response = response.unwrap_or(Err(ServiceError::TransportClosed));
                    self.handle = None;
                    return connection.response(response);
                }
                reason = connection.events.ended() => {
                    self.handle = None;
                    return Err(Fault::Ended(reason));
                }
                () = connection.clock.sleep(connection.patience) => {
                    // Progress reports show that the server works, and the host may need time to answer a question.
                    if routed.reports() == before && !connection.events.is_asking() {
                        return Err(Fault::Silent(connection.patience));
                    }
                }
            }
        }
    }
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        if let Some(handle) = self.handle.take() {
            let reason = Some("the call was cancelled".to_owned());
            self.connection.runtime.spawn(async move { handle.cancel(reason).await });
        }
    }
}
