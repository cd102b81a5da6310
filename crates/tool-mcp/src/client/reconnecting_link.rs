//! A connection to a server that survives restarts of the server: [`Link`].
//!
//! A call opens a new connection if the previous one has ended. Nothing runs in the background, so a server that crashes again and again
//! uses no resources while its tools are not called.
//!
//! Invariants: a request is sent once. After a failure, no connection is opened until a pause is over. The pause doubles with each failure,
//! up to [`LONGEST_PAUSE`]. At most one connection is opened at a time.

#[cfg(feature = "http-client")]
use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::ProtocolVersion;
use rmcp::service::{ClientInitializeError, ClientLifecycleMode};
use tokio::sync::{Mutex, watch};
use tool_runtime::clock::Clock;

use super::connection::{Connection, Opening};
use super::elicitation::Hook;
use super::endpoint::{Endpoint, Opened};
use super::error::ConnectError;
use super::handler::Handler;
#[cfg(feature = "http-client")]
use super::http_fault;
use super::line_transport::LineTransport;
use super::shared_connection_state::ConnectionState;

const SHORTEST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// The settings of the host.
pub(super) struct Settings {
    pub(super) name: String,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) hook: Option<Hook>,
    /// The maximum time that a request waits for a response or a progress report.
    pub(super) patience: Duration,
    /// The maximum time for starting the server and the handshake, and for the first list of tools.
    pub(super) connect_timeout: Duration,
    /// The maximum number of bytes of one message.
    pub(super) message_limit: usize,
    /// `true` to use the handshake of the revisions before 2026-07-28, without asking for the server's revisions first.
    pub(super) is_legacy: bool,
}

/// A server that is started again when its connection has ended.
pub(super) struct Link {
    pub(super) settings: Settings,
    pub(super) stale: Arc<watch::Sender<u64>>,
    state: Mutex<State>,
}

struct State {
    endpoint: Endpoint,
    connection: Option<Arc<Connection>>,
    /// The number of failures in a row. A connection fails if it cannot be opened, or if it ends before the server has answered a request.
    failures: u32,
    /// The time before which no connection is opened.
    opens_at: Duration,
    /// The reason for the last failure.
    reason: String,
    is_closed: bool,
    is_legacy: bool,
}

/// The reason why there is no connection.
pub(super) enum Gone {
    /// The server failed. It is not started again before `retry_after` is over.
    Failed { reason: String, retry_after: Duration },
    /// The host closed the link.
    Closed,
}

impl State {
    /// Records a failure that follows `before` others in a row, and returns the pause after it.
    fn fail(&mut self, before: u32, at: Duration, reason: String) -> Duration {
        let pause = SHORTEST_PAUSE.saturating_mul(1 << before.min(16)).min(LONGEST_PAUSE);
        self.failures = before.saturating_add(1);
        self.reason = reason;
        self.opens_at = at.saturating_add(pause);
        pause
    }
}

impl Link {
    pub(super) fn new(endpoint: Endpoint, settings: Settings) -> Self {
        let is_legacy = settings.is_legacy;
        let state = State {
            endpoint,
            connection: None,
            failures: 0,
            opens_at: Duration::ZERO,
            reason: String::new(),
            is_closed: false,
            is_legacy,
        };
        Self { settings, stale: Arc::new(watch::Sender::new(0)), state: Mutex::new(state) }
    }

    /// Opens the first connection.
    pub(super) async fn connect(&self) -> Result<Arc<Connection>, ConnectError> {
        let mut state = self.state.lock().await;
        let connection = self.open_in_time(&mut state).await?;
        state.connection = Some(Arc::clone(&connection));
        Ok(connection)
    }

    /// Returns the connection, and opens a new one if it has ended.
    pub(super) async fn connection(&self) -> Result<Arc<Connection>, Gone> {
        let mut state = self.state.lock().await;
        if state.is_closed {
            return Err(Gone::Closed);
        }
        if let Some(connection) = &state.connection {
            let Some((at, reason)) = connection.events.end_of_connection() else { return Ok(Arc::clone(connection)) };
            let before = if connection.has_answered() { 0 } else { state.failures };
            state.connection = None;
            state.fail(before, at, reason);
        }
        let now = self.settings.clock.now();
        let retry_after = state.opens_at.saturating_sub(now);
        if !retry_after.is_zero() {
            return Err(Gone::Failed { reason: state.reason.clone(), retry_after });
        }
        // Boxed, to keep the future of every call small.
        match Box::pin(self.open_in_time(&mut state)).await {
            Ok(connection) => {
                state.connection = Some(Arc::clone(&connection));
                // The new process may have other tools than the old one.
                self.stale.send_modify(|count| *count += 1);
                Ok(connection)
            }
            Err(error) => {
                let failures = state.failures;
                let retry_after = state.fail(failures, self.settings.clock.now(), error.to_string());
                Err(Gone::Failed { reason: state.reason.clone(), retry_after })
            }
        }
    }

    async fn open_in_time(&self, state: &mut State) -> Result<Arc<Connection>, ConnectError> {
        tokio::select! {
            biased;
            connection = self.open(state) => connection.map(Arc::new),
            () = self.settings.clock.sleep(self.settings.connect_timeout) => {
                Err(ConnectError::TimedOut(self.settings.connect_timeout))
            }
        }
    }

    /// Opens a connection. If the first handshake fails, because an older server ends the connection when it is asked for its revisions,
    /// opens a second connection with the older handshake.
    async fn open(&self, state: &mut State) -> Result<Connection, ConnectError> {
        if !state.is_legacy {
            let lifecycle = ClientLifecycleMode::Auto {
                preferred_versions: vec![ProtocolVersion::LATEST],
                legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
            };
            match self.shake_hands(state, lifecycle).await? {
                Ok(connection) => return Ok(connection),
                Err(error @ ClientInitializeError::NoCompatibleProtocolVersion { .. }) => {
                    return Err(ConnectError::at_handshake(&error));
                }
                // A server that is only starting may know the newest revision.
                #[cfg(feature = "http-client")]
                Err(error) if http_fault::is_unreachable(&error) => {
                    return Err(ConnectError::Handshake(error.to_string()));
                }
                Err(_) => {}
            }
        }
        let connection = self.shake_hands(state, ClientLifecycleMode::Initialize).await?;
        state.is_legacy = connection.is_ok();
        connection.map_err(|error| ConnectError::at_handshake(&error))
    }

    async fn shake_hands(
        &self,
        state: &mut State,
        lifecycle: ClientLifecycleMode,
    ) -> Result<Result<Connection, ClientInitializeError>, ConnectError> {
        let Settings { name, clock, hook, patience, message_limit, .. } = &self.settings;
        let events = Arc::new(ConnectionState::new(Arc::clone(&self.stale), Arc::clone(clock)));
        let opened = state.endpoint.open().await.map_err(ConnectError::Open)?;
        let handler = Handler { server: name.clone(), hook: hook.clone(), events: Arc::clone(&events) };
        let opening = Opening { handler, lifecycle, events, clock: Arc::clone(clock), patience: *patience };
        match opened {
            Opened::Lines(streams, child) => {
                let (events, clock) = (Arc::clone(&opening.events), Arc::clone(clock));
                let wire = LineTransport::new(streams, child.map(|child| *child), *message_limit, events, clock);
                Ok(Connection::open(wire, opening).await)
            }
            #[cfg(feature = "http-client")]
            Opened::Http(open) => {
                open(opening, *message_limit).await.map_err(|error| ConnectError::Open(io::Error::other(error)))
            }
        }
    }

    /// Closes the connection for good.
    pub(super) async fn close(&self) {
        let mut state = self.state.lock().await;
        state.is_closed = true;
        if let Some(connection) = state.connection.take() {
            connection.close().await;
        }
    }
}
