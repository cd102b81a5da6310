//! A server over streamable HTTP: [`Http`].
//!
//! Host, origin, bearer token and size of a request are checked before a handler gets the request. Invariants: a server that other machines
//! can reach has a bearer check, unless the host has said that it needs none. Reading a request takes bounded time and memory. The number
//! of connections, sessions and open requests of a session is bounded. If a client does not read an answer, the server waits for a bounded time.

mod request;
mod sessions;

use std::fmt;
use std::future::Future;
use std::io;
use std::sync::Arc;

use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use super::handler::Handler;
use super::shared::Shared;
use super::{Principal, ServeError, Server, ToolsOnly};
use crate::http::{Gate, connections};
use request::Checked;
use sessions::Sessions;

/// The default maximum size of a request in bytes, which is the SDK's default as well.
const BODY: usize = 4 * 1024 * 1024;

/// The default maximum number of sessions.
const SESSIONS: usize = 1_000;

/// A server of a toolbox over streamable HTTP, with HTTP/1.1 and at any path. Use a proxy in front of it for TLS, or to serve other paths.
///
/// ```no_run
/// use tokio::net::TcpListener;
/// use tool_mcp::Server;
/// use tool_runtime::Toolbox;
///
/// # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::new(Toolbox::builder().build()?).http();
/// let stop = std::future::pending(); // for example a signal
/// server.serve(TcpListener::bind("127.0.0.1:8000").await?, stop).await?;
/// # Ok(())
/// # }
/// ```
pub struct Http<H = ToolsOnly> {
    server: Server<H>,
    config: StreamableHttpServerConfig,
    gate: Gate<Principal>,
    most_sessions: usize,
}

impl<H: ServerHandler> Server<H> {
    /// Serves over streamable HTTP. By default, only requests to a loopback host are answered, and requests from web pages of other servers
    /// are rejected.
    pub fn http(self) -> Http<H> {
        // The gate checks hosts and origins.
        let config = StreamableHttpServerConfig::default().disable_allowed_hosts().with_max_request_body_bytes(BODY);
        Http { server: self, config, gate: Gate::loopback(), most_sessions: SESSIONS }
    }
}

impl<H: ServerHandler> Http<H> {
    /// Sets the hosts that requests may name in their `Host` header, such as `tools.example.com`. By default, these are `localhost`,
    /// `127.0.0.1` and `::1`.
    #[must_use]
    pub fn hosts<N: Into<String>>(mut self, hosts: impl IntoIterator<Item = N>) -> Self {
        self.gate.hosts.hosts = hosts.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the origins of web pages that may send requests, such as `https://app.example.com:443`. By default, only the server's own
    /// origins are allowed: the loopback hosts with the server's port. Requests of programs that send no origin are not affected.
    #[must_use]
    pub fn origins<O: Into<String>>(mut self, origins: impl IntoIterator<Item = O>) -> Self {
        self.gate.hosts.origins = origins.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the function that checks bearer tokens. The function returns the name of the user whose token it is, or `None` if the token is
    /// not valid.
    ///
    /// In protocol version 2026-07-28, all requests of a user share one session. In earlier protocol versions, only the user who began a session can use
    /// it. Compare secrets in constant time.
    #[must_use]
    pub fn verify_bearer(mut self, identify: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        self.gate.identify = Some(Arc::new(move |token: &str| identify(token).map(Principal)));
        self
    }

    /// Allows the server to run without a check of bearer tokens, even if other machines can reach its address. Use this only behind a
    /// proxy that checks the requests.
    #[must_use]
    pub fn without_authentication(mut self) -> Self {
        self.gate.is_open = true;
        self
    }

    /// Sets the maximum number of bytes of a request, 4 MiB by default.
    #[must_use]
    pub fn max_body_bytes(mut self, bytes: usize) -> Self {
        self.config = self.config.with_max_request_body_bytes(bytes);
        self
    }

    /// Sets the maximum number of sessions that exist at the same time for clients of revisions until 2025-11-25, 1,000 by default. Further
    /// clients get the status 503, until one of the sessions is closed or has been idle for five minutes.
    #[must_use]
    pub fn max_sessions(mut self, sessions: usize) -> Self {
        self.most_sessions = sessions;
        self
    }

    /// Serves until `stop` is ready. Then no more connections are accepted, and running requests have five seconds to end.
    ///
    /// # Errors
    ///
    /// Returns an error if the address is not a loopback address, and neither [`verify_bearer`](Self::verify_bearer) nor
    /// [`without_authentication`](Self::without_authentication) was called. Also returns an error if the address of the listener cannot be
    /// read, or if a [state](Server::states) is missing that every session needs.
    pub async fn serve(self, listener: TcpListener, stop: impl Future<Output = ()>) -> io::Result<()> {
        let Self { server, config, gate, most_sessions } = self;
        let gate = gate.at(listener.local_addr()?)?;
        // Which states a user has is only known when the user comes.
        if gate.identify.is_none() || server.settings.states.is_none() {
            server.settings.check_states().map_err(|missing| io::Error::other(ServeError::from(missing)))?;
        }
        let (shared, others) = (Arc::new(Shared::new(server.settings)), server.others);
        let (most_bytes, all) = (config.max_request_body_bytes, config.cancellation_token.clone());
        let handlers = move || Ok(Handler::new(Arc::clone(&shared), Arc::clone(&others)));
        let sessions = Arc::new(LocalSessionManager::default());
        let service = StreamableHttpService::new(handlers, Arc::clone(&sessions), config);
        let sessions = Sessions::new(sessions, most_sessions);
        let checked = Checked::new(service, sessions, gate, most_bytes);
        connections::serve(listener, move |request, stopped| checked.clone().answer(request, stopped), stop).await;
        // This ends the sessions. All answers were sent before.
        all.cancel();
        Ok(())
    }
}

impl<H> fmt::Debug for Http<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http").field("server", &self.server).field("config", &self.config).finish_non_exhaustive()
    }
}
