//! The proxy as a server over streamable HTTP: [`ProxyHttp`].
//!
//! HTTP requests become the frames of connections, and frames become answers; messages stay the same, byte for byte. Each session, and each user of
//! protocol version 2026-07-28, has a server and a guard of its own. Invariants: an answer goes to the client whose request it answers; memory, sessions
//! and open requests are bounded; a proxy that other machines can reach has a bearer check, unless the host has said that it needs none.

mod client;
mod endpoint;
mod request_parts;
mod requests;
mod streams;
mod table;

use std::sync::Arc;
use std::time::Duration;
use std::{fmt, io};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;

use crate::http::endpoint::Endpoint;
use crate::http::table::{ConnectionTable, Start};
use crate::layers::Layers;
use crate::report::ProxyReport;
use crate::servers::{Input, Output, Server, Servers, Started};
use crate::settings::Settings;
use crate::sync::locked;
use tool_mcp::__private_0_1_0::http::{Gate, connections};

/// The default maximum number of sessions.
const SESSIONS: usize = 100;

/// The time that the servers have to exit once the proxy ends.
const ENDING: Duration = Duration::from_secs(10);

/// A [proxy](super::Proxy) that serves clients over streamable HTTP, at any path. Every session gets a server process of its own.
///
/// In protocol version 2026-07-28, which has no sessions, all requests of a user share a process.
///
/// ```no_run
/// use tokio::net::TcpListener;
/// use tokio::process::Command;
/// use tool_proxy::Proxy;
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let proxy = Proxy::builder().build_http()?;
/// let mut server = Command::new("npx");
/// server.args(["-y", "@modelcontextprotocol/server-filesystem", "/srv"]);
/// proxy.serve(TcpListener::bind("127.0.0.1:8931").await?, server, std::future::pending()).await?;
/// # Ok(())
/// # }
/// ```
pub struct ProxyHttp {
    settings: Arc<Settings>,
    gate: Gate<String>,
    most_sessions: usize,
}

impl ProxyHttp {
    pub(super) fn new(settings: Arc<Settings>) -> Self {
        Self { settings, gate: Gate::loopback(), most_sessions: SESSIONS }
    }

    /// Sets the hosts that requests may name in their `Host` header, such as `tools.example.com`. By default, these are `localhost`, `127.0.0.1`
    /// and `::1`.
    #[must_use]
    pub fn hosts<N: Into<String>>(mut self, hosts: impl IntoIterator<Item = N>) -> Self {
        self.gate.hosts.hosts = hosts.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the origins of web pages that may send requests, such as `https://app.example.com`. By default, only the proxy's own origins are
    /// allowed: the loopback hosts with its port. Requests of programs that send no origin are not affected.
    #[must_use]
    pub fn origins<O: Into<String>>(mut self, origins: impl IntoIterator<Item = O>) -> Self {
        self.gate.hosts.origins = origins.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the function that checks bearer tokens. The function returns the name of the user whose token it is, or `None` if the token is not
    /// valid. Only the user who began a session can use it. Compare secrets in constant time.
    #[must_use]
    pub fn verify_bearer(mut self, identify: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        self.gate.identify = Some(Arc::new(identify));
        self
    }

    /// Allows the proxy to run without a check of bearer tokens, even if other machines can reach its address. Use this only behind a server that
    /// checks the requests.
    #[must_use]
    pub fn without_authentication(mut self) -> Self {
        self.gate.is_open = true;
        self
    }

    /// Sets the maximum number of sessions, and of users of protocol version 2026-07-28, that have a server process at the same time; 100 by default.
    /// Further clients get the status 503. A session ends if it was idle for five minutes.
    #[must_use]
    pub fn max_sessions(mut self, sessions: usize) -> Self {
        self.most_sessions = sessions;
        self
    }

    /// Serves until `stop` is ready. Then no more connections are accepted, running requests have five seconds to end, and the server processes
    /// end. Every session starts the servers for itself.
    ///
    /// # Errors
    ///
    /// Returns an error if the address is not a loopback address and neither [`verify_bearer`](Self::verify_bearer)
    /// nor [`without_authentication`](Self::without_authentication) was called, or if the address of the listener cannot be read.
    pub async fn serve(
        &self,
        listener: TcpListener,
        servers: impl Into<Servers>,
        stop: impl Future<Output = ()>,
    ) -> io::Result<()> {
        let servers = servers.into();
        let names = servers.names();
        self.run(listener, Start { names, start: Box::new(move |layers| servers.start(layers)) }, stop).await
    }

    /// Serves like [`serve`](Self::serve). The function starts a server and returns the streams to read its output from and to write its input to.
    ///
    /// # Errors
    ///
    /// As for [`serve`](Self::serve).
    pub async fn serve_streams<R, W>(
        &self,
        listener: TcpListener,
        server: impl Fn() -> io::Result<(R, W)> + Send + Sync + 'static,
        stop: impl Future<Output = ()>,
    ) -> io::Result<()>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let server = Arc::new(server);
        let start = move |_: &mut Layers| {
            let server = Arc::clone(&server);
            let start = move || {
                let (output, input) = server()?;
                Ok(Server::Streams {
                    output: Box::new(output) as Output,
                    input: Box::new(input) as Input,
                    process: None,
                })
            };
            Ok(vec![Started { first: Some(start()?), start: Box::new(start) }])
        };
        self.run(listener, Start { names: None, start: Box::new(start) }, stop).await
    }

    async fn run(&self, listener: TcpListener, start: Start, stop: impl Future<Output = ()>) -> io::Result<()> {
        let gate = self.gate.clone().at(listener.local_addr()?)?;
        let (table, mut ended) = ConnectionTable::new(Arc::clone(&self.settings), start, self.most_sessions);
        let endpoint = Arc::new(Endpoint { table: Arc::new(table), gate });
        let answering = Arc::clone(&endpoint);
        connections::serve(listener, move |request, stopped| Arc::clone(&answering).answer(request, stopped), stop)
            .await;
        endpoint.table.close();
        // Nothing is ever sent, so this waits until the tasks of all connections have ended.
        let _ = tokio::time::timeout(ENDING, ended.recv()).await;
        Ok(())
    }

    /// Returns the counts of all connections so far.
    pub fn report(&self) -> ProxyReport {
        locked(&self.settings.report).clone()
    }
}

impl fmt::Debug for ProxyHttp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProxyHttp")
            .field("hosts", &self.gate.hosts)
            .field("max_sessions", &self.most_sessions)
            .field("report", &self.report())
            .finish_non_exhaustive()
    }
}
