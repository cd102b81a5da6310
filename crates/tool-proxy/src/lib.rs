//! A proxy between an MCP client and an MCP server that somebody else wrote: [`Proxy`].
//!
//! Messages are forwarded byte for byte. Only the calls of tools are checked: certain mistakes of the model are repaired, others are answered
//! by the proxy with all issues and a hint, and a model that repeats itself is paused. The server only gets calls that the schemas of its tools
//! accept.
//!
//! # Features
//!
//! | feature | adds |
//! | --- | --- |
//! | `http` | [`ProxyBuilder::http`]: the proxy as a server over streamable HTTP |

mod access;
mod approve;
mod asked;
mod builder;
mod call;
mod calls;
mod checker;
mod connection;
mod containers;
mod cut;
mod deadlines;
mod dry;
mod ends;
mod fate;
mod guard;
mod handshake;
#[cfg(feature = "http")]
mod http;
mod learned;
mod lines;
mod listed;
mod lister;
mod lists;
mod members;
mod message;
mod offer;
mod offered;
mod open;
mod outbox;
mod outcome;
mod page;
mod process;
mod reading;
mod record;
mod redact;
mod report;
mod rounds;
mod run;
mod servers;
mod serving;
mod setting_names;
mod settings;
mod states;
mod timer;
mod tolerant;
mod translate;

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncWrite};
use tool_runtime::BuildError;

pub use self::access::{Access, Approval};
pub use self::builder::ProxyBuilder;
use self::connection::{Shared, locked};
use self::guard::Guard;
#[cfg(feature = "http")]
pub use self::http::ProxyHttp;
use self::process::Server;
pub use self::report::{ProxyReport, ToolReport};
pub use self::run::ProxyEnd;
use self::run::run;
pub use self::servers::Servers;
pub use self::settings::{Restart, ToolOptions, Translation};
use self::translate::translated;

/// A proxy that checks and repairs the calls that a client sends to a server.
///
/// ```no_run
/// use tokio::process::Command;
/// use tool_proxy::Proxy;
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let mut server = Command::new("npx");
/// server.args(["-y", "@modelcontextprotocol/server-filesystem", "/srv"]);
///
/// let proxy = Proxy::builder().log(|remark| eprintln!("proxy: {remark}")).build()?;
/// proxy.stdio(server, std::future::pending()).await?;
/// eprint!("{}", proxy.report());
/// # Ok(())
/// # }
/// ```
pub struct Proxy {
    guard: Shared,
}

impl Proxy {
    /// Returns a builder with the default settings.
    pub fn builder() -> ProxyBuilder {
        ProxyBuilder::new()
    }

    /// Starts a server, or [several](Servers), as child processes, and connects them to the client on the standard input and output of this
    /// process. Returns when the client has ended, when all servers have ended and are not restarted, or when `stop` is ready. Requests
    /// that are still open are then answered with an error. The standard error of a server is that of the proxy, unless the command
    /// redirects it.
    ///
    /// # Errors
    ///
    /// Fails if the process cannot be started. One of several servers that cannot be started is left out.
    pub async fn stdio(&self, servers: impl Into<Servers>, stop: impl Future<Output = ()>) -> io::Result<ProxyEnd> {
        let servers = servers.into();
        let restart = locked(&self.guard).restart();
        let start = || servers.start(&self.guard);
        run(&self.guard, (tokio::io::stdin(), tokio::io::stdout()), start, restart, stop).await
    }

    /// Connects a client and a server over streams. Returns when one of them has ended.
    pub async fn streams(
        &self,
        client: (impl AsyncRead + Unpin, impl AsyncWrite + Unpin),
        server: (impl AsyncRead + Unpin, impl AsyncWrite + Unpin),
    ) -> ProxyEnd {
        let translation = locked(&self.guard).translation();
        if translation == Translation::Never {
            self.connect(client, server).await
        } else {
            self.connect(client, translated(&self.guard, server, translation)).await
        }
    }

    async fn connect(
        &self,
        (from_client, to_client): (impl AsyncRead + Unpin, impl AsyncWrite + Unpin),
        (from_server, to_server): (impl AsyncRead + Unpin, impl AsyncWrite + Unpin),
    ) -> ProxyEnd {
        let mut server = Some(Server { output: from_server, input: to_server, process: None });
        let start = || server.take().ok_or_else(|| io::ErrorKind::NotConnected.into());
        let end = run(&self.guard, (from_client, to_client), start, None, std::future::pending()).await;
        // There is one server to start, so this cannot fail.
        end.unwrap_or(ProxyEnd::Stopped)
    }

    /// Returns the counts so far.
    pub fn report(&self) -> ProxyReport {
        locked(&self.guard).report().clone()
    }
}

impl ProxyBuilder {
    /// Builds the proxy, which can be used for one connection.
    ///
    /// # Errors
    ///
    /// Fails if the settings contradict each other.
    pub fn build(self) -> Result<Proxy, BuildError> {
        Ok(Proxy { guard: Arc::new(Mutex::new(Guard::new(Arc::new(self.0))?)) })
    }

    /// Builds the proxy as a server over streamable HTTP, for any number of clients.
    ///
    /// # Errors
    ///
    /// Fails if the settings contradict each other.
    #[cfg(feature = "http")]
    pub fn http(self) -> Result<ProxyHttp, BuildError> {
        let settings = Arc::new(self.0);
        // A guard is built for each connection; this one only shows that it can be built.
        Guard::new(Arc::clone(&settings))?;
        Ok(ProxyHttp::new(settings))
    }
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proxy").field("report", &self.report()).finish_non_exhaustive()
    }
}

use tool_runtime::__private_0_1_0 as private;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
