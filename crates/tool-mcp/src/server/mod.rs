//! A toolbox as an MCP server: [`Server`].
//!
//! Each connection has one [`Handler`], which answers its requests through a [session](tool_runtime::Session). Invariant: every request
//! gets exactly one answer, and every call that reaches the toolbox has a call id of its own, because clients may repeat the ids of JSON-RPC.

mod answer;
mod approve;
mod call;
mod conversation;
mod duplicates;
mod error;
mod handler;
#[cfg(feature = "http")]
mod http;
mod output;
mod settings;
mod shared;
mod used;

use std::fmt;
use std::sync::Arc;

use rmcp::model::{Implementation, ServerCapabilities, ServerConfig};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::stdio;
use tokio::io::{AsyncRead, AsyncWrite};
use tool_runtime::Toolbox;
use tool_runtime::toolbox::States;

use duplicates::Distinct;
pub use error::ServeError;
pub use handler::Handler;
#[cfg(feature = "http")]
pub use http::Http;
#[cfg(feature = "http")]
use settings::Principal;
use settings::Settings;
use shared::Shared;

/// Serves a toolbox over the Model Context Protocol.
///
/// The host chooses the revision of the protocol. One program serves 2025-06-18, 2025-11-25 and 2026-07-28; see [`Handler`] for the difference.
///
/// ```no_run
/// # use tool_mcp::Server;
/// # use tool_runtime::Toolbox;
/// # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
/// let toolbox = Toolbox::builder().build()?;
/// Server::new(toolbox).named("weather", "1.0.0").instructions("Ask for one city at a time.").stdio().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Server(Settings);

impl Server {
    /// Creates a server without instructions. Its name is `tool-mcp` until you [name](Self::named) it.
    pub fn new(toolbox: Toolbox) -> Self {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        let info = ServerConfig::new(capabilities);
        let info = info.with_server_info(Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")));
        Self(Settings {
            toolbox,
            info,
            unknown_tools_as_results: false,
            states: Arc::new(|_| States::new()),
            state_key: None,
        })
    }

    /// Sets the name and the version of the server that clients see.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.0.info.server_info = Implementation::new(name, version);
        self
    }

    /// Sets the instructions for the model. Most hosts add them to the system prompt.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.0.info.instructions = Some(instructions.into());
        self
    }

    /// Answers a call of an unknown tool with a result that is marked as an error, so that the model reads the suggestion.
    ///
    /// By default, the answer is the protocol error -32602 with the suggestion in its message, as the specification requires. Some hosts do
    /// not show protocol errors to the model. A tool in a container that is not expanded is always answered with a result.
    #[must_use]
    pub fn unknown_tools_as_results(mut self) -> Self {
        self.0.unknown_tools_as_results = true;
        self
    }

    /// Sets the function that creates the state of each session, for a toolbox with
    /// [`session_state`](tool_runtime::toolbox::ToolboxBuilder::session_state). It receives the name of the user if the connection has one. A session that lacks a declared state answers calls of the tools
    /// that need it with a failure.
    #[must_use]
    pub fn states(mut self, states: impl Fn(Option<&str>) -> States + Send + Sync + 'static) -> Self {
        self.0.states = Arc::new(states);
        self
    }

    /// Sets the key that seals the state which a client of revision 2026-07-28 brings back with the answer of its user. Processes that answer the
    /// requests of the same clients need the same key. By default, each server has a random one. Secret bytes of any length are possible; 32 are
    /// enough.
    #[must_use]
    pub fn state_key(mut self, key: impl Into<Vec<u8>>) -> Self {
        self.0.state_key = Some(key.into());
        self
    }

    /// Serves one client over the standard input and output until the client closes the connection. Nothing else may write to the standard
    /// output.
    ///
    /// # Errors
    ///
    /// Returns an error if the connection does not begin as the protocol requires, or if it fails.
    pub async fn stdio(self) -> Result<(), ServeError> {
        let (input, output) = stdio();
        Box::pin(self.connection(input, output)).await
    }

    /// Serves one client over a pair of streams, such as a socket or the pipes of a process, until the client closes the connection.
    ///
    /// Each message is one line of at most 16 MiB; longer lines are dropped. When the client closes its side, calls that still run have five
    /// seconds to end.
    ///
    /// # Errors
    ///
    /// Returns an error if the connection does not begin as the protocol requires, or if it fails.
    pub async fn connection<R, W>(self, input: R, output: W) -> Result<(), ServeError>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let running = match rmcp::serve_server(
            self.handler(),
            Distinct::new(AsyncRwTransport::new_server(input, output)),
        )
        .await
        {
            Ok(running) => running,
            Err(error) => return ServeError::at_start(&error),
        };
        running.waiting().await.map(drop).map_err(|error| ServeError::failed(&error))
    }

    /// Creates the handler of one connection, for transports of [`rmcp`] that this crate does not set up and for servers that also have
    /// prompts or resources.
    pub fn handler(&self) -> Handler {
        Handler::new(Arc::new(Shared::new(self.0.clone())))
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("toolbox", &self.0.toolbox).finish_non_exhaustive()
    }
}
