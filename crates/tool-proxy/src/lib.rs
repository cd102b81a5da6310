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
//! | `http` | [`ProxyBuilder::build_http`]: the proxy as a server over streamable HTTP |
//! | `remote` | [`HttpUpstream`]: a server behind a URL |
#![cfg_attr(docsrs, feature(doc_cfg))]

mod access;
mod action;
mod approval;
mod approval_tokens;
mod builder;
mod call;
mod calls;
mod checker;
mod connection;
mod frame;
mod guard;
mod handshake;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "remote")]
mod http_upstream;
mod layers;
mod list_cache;
#[cfg(any(feature = "http", feature = "remote"))]
mod mcp_headers;
mod members;
mod outbox;
mod outcome;
mod own_messages;
mod pending_request;
mod pins;
mod private_file;
mod redact;
#[cfg(feature = "remote")]
mod remote;
mod report;
mod request_table;
mod router;
mod run;
mod sans_io;
mod server_tools;
mod servers;
mod settings;
mod sync;
mod tolerant_tool;
mod tool_lists;
mod translate;
mod truncate;

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncWrite};
use tool_runtime::BuildError;

pub use self::access::{Access, Approval};
pub use self::builder::ProxyBuilder;
use self::guard::Guard;
#[cfg(feature = "http")]
pub use self::http::ProxyHttp;
#[cfg(feature = "remote")]
pub use self::http_upstream::HttpUpstream;
use self::layers::{Layers, Shared};
pub use self::pins::{Difference, PinChange, PinMode, Pins};
pub use self::report::{ProxyReport, ToolReport};
pub use self::run::ProxyEnd;
use self::run::{run_servers, run_streams_only};
pub use self::servers::{Servers, Upstream};
pub use self::settings::{Restart, ToolOptions, VersionTranslation};
use self::sync::locked;

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
/// let proxy = Proxy::builder().log_with(|remark| eprintln!("proxy: {remark}")).build()?;
/// proxy.serve_stdio(server, std::future::pending()).await?;
/// eprint!("{}", proxy.report());
/// # Ok(())
/// # }
/// ```
pub struct Proxy {
    layers: Shared,
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
    pub async fn serve_stdio(
        &self,
        servers: impl Into<Servers>,
        stop: impl Future<Output = ()>,
    ) -> io::Result<ProxyEnd> {
        self.serve((tokio::io::stdin(), tokio::io::stdout()), servers, stop).await
    }

    /// Connects servers with a client over streams: the first to read from, the second to write to. Otherwise like [`serve_stdio`](Self::serve_stdio).
    ///
    /// # Errors
    ///
    /// As for [`serve_stdio`](Self::serve_stdio).
    pub async fn serve(
        &self,
        client: (impl AsyncRead + Unpin, impl AsyncWrite + Unpin),
        servers: impl Into<Servers>,
        stop: impl Future<Output = ()>,
    ) -> io::Result<ProxyEnd> {
        run_servers(&self.layers, client, &servers.into(), stop).await
    }

    /// Connects a client and a server over streams. Returns when one of them has ended.
    pub async fn connect_streams(
        &self,
        client: (impl AsyncRead + Unpin, impl AsyncWrite + Unpin),
        server: (impl AsyncRead + Unpin, impl AsyncWrite + Unpin),
    ) -> ProxyEnd {
        run_streams_only(&self.layers, client, server).await
    }

    /// Returns the counts so far.
    pub fn report(&self) -> ProxyReport {
        locked(&locked(&self.layers).guard.settings.report).clone()
    }
}

impl ProxyBuilder {
    /// Builds the proxy, which can be used for one connection.
    ///
    /// # Errors
    ///
    /// Fails if the settings contradict each other.
    pub fn build(self) -> Result<Proxy, BuildError> {
        let guard = Guard::new(Arc::new(self.0))?;
        Ok(Proxy { layers: Arc::new(Mutex::new(Layers::new(guard))) })
    }

    /// Builds the proxy as a server over streamable HTTP, for any number of clients.
    ///
    /// # Errors
    ///
    /// Fails if the settings contradict each other.
    #[cfg(feature = "http")]
    pub fn build_http(self) -> Result<ProxyHttp, BuildError> {
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

/// The layers without streams, for our tests, and files for the command. May change with every version.
#[doc(hidden)]
pub mod __private_0_1_0 {
    pub use super::private_file::{Lock, replace};
    pub use super::sans_io::{OutgoingLines, SansIoProxy};
}

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
