//! A toolbox as an MCP server: [`Server`].
//!
//! Each connection has one [`Handler`], which answers its requests through a [session](tool_runtime::Session). Invariants: every request
//! gets exactly one answer. Every call that reaches the toolbox has a new call id, because clients may use the same JSON-RPC id again.

mod answer;
mod approve;
mod call;
mod conversation;
mod duplicates;
mod error;
mod handler;
#[cfg(feature = "http")]
mod http;
mod others;
mod output_schemas;
mod request_routing;
mod settings;
mod shared;
mod used_answers;

use std::fmt;
use std::sync::Arc;

use rmcp::ServerHandler;
use rmcp::model::{Implementation, ServerCapabilities, ServerConfig};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::stdio;
use tokio::io::{AsyncRead, AsyncWrite};
use tool_runtime::toolbox::States;
use tool_runtime::toolbox::{NeedsSessionState, Toolbox};

use duplicates::Distinct;
pub use error::ServeError;
pub use handler::Handler;
#[cfg(feature = "http")]
pub use http::Http;
pub use others::ToolsOnly;
#[cfg(feature = "http")]
use settings::Principal;
use settings::Settings;
use shared::Shared;

/// A toolbox served over the Model Context Protocol.
///
/// The client chooses the protocol version. The same program serves 2025-06-18, 2025-11-25 and 2026-07-28; see [`Handler`] for the
/// differences.
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
///
/// A server only has tools. [`with_fallback_handler`](Self::with_fallback_handler) adds what another handler offers, such as prompts and resources.
pub struct Server<H = ToolsOnly> {
    settings: Settings,
    others: Arc<H>,
}

impl Server {
    /// Creates a server without instructions. Its name is `tool-mcp` until you [name](Self::named) it. A toolbox that needs states gets them from
    /// [`states`](Self::states).
    pub fn new(toolbox: impl Into<Toolbox<NeedsSessionState>>) -> Self {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        let info = ServerConfig::new(capabilities);
        let info = info.with_server_info(Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")));
        let settings =
            Settings { toolbox: toolbox.into(), info, unknown_tools_as_results: false, states: None, state_key: None };
        Self { settings, others: Arc::new(ToolsOnly) }
    }

    /// Adds another handler, which answers everything that is not about the tools of the toolbox: prompts, resources, completion, and tools
    /// that need the protocol itself, for example to send the client a `sampling/createMessage` request.
    ///
    /// Clients see the capabilities and tools of both. If both have a tool of the same name, the tool of the toolbox is called. A tool that the
    /// handler lists need not be returned by [`get_tool`](ServerHandler::get_tool); if it is, its calls need no list. The name of the server is
    /// always the one of this `Server`. The instructions of the handler are only used if this `Server` has none. The handler is not notified of the beginning of a
    /// connection.
    ///
    /// ```
    /// use tool_mcp::Server;
    /// use tool_mcp::rmcp::model::{ListPromptsResult, PaginatedRequestParams, Prompt, ServerCapabilities, ServerConfig};
    /// use tool_mcp::rmcp::service::RequestContext;
    /// use tool_mcp::rmcp::{ErrorData, RoleServer, ServerHandler};
    /// use tool_runtime::Toolbox;
    ///
    /// struct Prompts;
    ///
    /// impl ServerHandler for Prompts {
    ///     fn get_info(&self) -> ServerConfig {
    ///         ServerConfig::new(ServerCapabilities::builder().enable_prompts().build())
    ///     }
    ///
    ///     async fn list_prompts(
    ///         &self,
    ///         _: Option<PaginatedRequestParams>,
    ///         _: RequestContext<RoleServer>,
    ///     ) -> Result<ListPromptsResult, ErrorData> {
    ///         Ok(ListPromptsResult::with_all_items(vec![Prompt::new("plan", Some("Plans a trip."), None)]))
    ///     }
    /// }
    ///
    /// let server = Server::new(Toolbox::builder().build()?).with_fallback_handler(Prompts);
    /// let capabilities = server.handler().get_info().capabilities;
    /// assert!(capabilities.tools.is_some() && capabilities.prompts.is_some());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn with_fallback_handler<H: ServerHandler>(self, handler: H) -> Server<H> {
        Server { settings: self.settings, others: Arc::new(handler) }
    }
}

impl<H: ServerHandler> Server<H> {
    /// Sets the name and the version of the server that clients see.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.settings.info.server_info = Implementation::new(name, version);
        self
    }

    /// Sets the instructions for the model. Most hosts add them to the system prompt.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.settings.info.instructions = Some(instructions.into());
        self
    }

    /// Makes the server answer calls of unknown tools with a result that is marked as an error, so that the model reads the suggestion.
    ///
    /// By default, the answer is the protocol error -32602 with the suggestion in its message, as the specification requires. Some hosts do
    /// not show protocol errors to the model. A call of a tool in a container that is not expanded is always answered with a result.
    #[must_use]
    pub fn unknown_tools_as_results(mut self) -> Self {
        self.settings.unknown_tools_as_results = true;
        self
    }

    /// Sets the function that creates the state of each session, for a toolbox with
    /// [`require_session_state`](tool_runtime::toolbox::ToolboxBuilder::require_session_state). The function receives the name of the user if the
    /// connection has one. Serving fails if a client without a user lacks a declared state. If a user lacks one, calls of tools that need it fail.
    #[must_use]
    pub fn states(mut self, states: impl Fn(Option<&str>) -> States + Send + Sync + 'static) -> Self {
        self.settings.states = Some(Arc::new(states));
        self
    }

    /// Sets the key that protects the state of an unfinished call. In protocol version 2026-07-28, the client keeps this state, and sends it back
    /// with the answer of its user. If several processes answer the requests of the same clients, give them the same key. By default, each
    /// server has a random key. The key consists of secret bytes of any length; 32 bytes are enough.
    #[must_use]
    pub fn state_secret(mut self, key: impl Into<Vec<u8>>) -> Self {
        self.settings.state_key = Some(key.into());
        self
    }

    /// Serves one client over the standard input and output until the client closes the connection. Nothing else may write to the standard
    /// output.
    ///
    /// # Errors
    ///
    /// Returns an error if a [state](Self::states) is missing, if the connection does not begin as the protocol requires, or if it fails.
    pub async fn stdio(self) -> Result<(), ServeError> {
        let (input, output) = stdio();
        Box::pin(self.serve_streams(input, output)).await
    }

    /// Serves one client over a pair of streams, such as a socket or the pipes of a process, until the client closes the connection.
    ///
    /// Each message is one line of at most 16 MiB; longer lines are dropped. When the client closes its stream, calls that still run have
    /// five seconds to end.
    ///
    /// # Errors
    ///
    /// Returns an error if a [state](Self::states) is missing, if the connection does not begin as the protocol requires, or if it fails.
    pub async fn serve_streams<R, W>(self, input: R, output: W) -> Result<(), ServeError>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        self.settings.check_states()?;
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

    /// Creates the handler of one connection, for other transports of [`rmcp`] that you set up yourself.
    pub fn handler(&self) -> Handler<H> {
        Handler::new(Arc::new(Shared::new(self.settings.clone())), Arc::clone(&self.others))
    }
}

impl<H> Clone for Server<H> {
    fn clone(&self) -> Self {
        Self { settings: self.settings.clone(), others: Arc::clone(&self.others) }
    }
}

impl<H> fmt::Debug for Server<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("toolbox", &self.settings.toolbox).finish_non_exhaustive()
    }
}
