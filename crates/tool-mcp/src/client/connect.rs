//! Connecting to a server: [`connect`] and its settings.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tool_runtime::clock::{Clock, TokioClock};
use tool_runtime::tool::portable_name;

use super::elicitation::{Elicitation, ElicitationReply, Hook};
use super::endpoint::Endpoint;
use super::error::ConnectError;
use super::reconnecting_link::{Link, Settings};
use super::remote::RemoteServer;

/// Connects to an MCP server under a name that you choose. Await the returned [`Connect`], within a tokio runtime.
///
/// The names of the tools begin with this name. Do not use a name that the server reports for itself: such names are not unique, and cannot
/// be trusted.
pub fn connect(name: impl Into<String>, endpoint: impl Into<Endpoint>) -> Connect {
    let name = name.into();
    Connect {
        prefix: name.clone(),
        container: portable_name(&format!("MCP_{name}")).into_owned(),
        most_tools: 1_000,
        endpoint: endpoint.into(),
        settings: Settings {
            name,
            clock: Arc::new(TokioClock::new()),
            hook: None,
            patience: Duration::from_secs(60),
            connect_timeout: Duration::from_secs(60),
            message_limit: 8 * 1_024 * 1_024,
            is_legacy: false,
        },
    }
}

/// The settings of a connection. When you await it, it connects and lists the tools.
#[must_use = "no server is started before the future is awaited"]
pub struct Connect {
    endpoint: Endpoint,
    prefix: String,
    container: String,
    most_tools: usize,
    settings: Settings,
}

impl Connect {
    /// Sets the prefix of the names of tools, which is followed by `__`. The default is the name that you gave the server. With an empty
    /// prefix, tools have the names that the server gave them.
    ///
    /// If a name has more than 63 characters, or characters other than `a` to `z`, `0` to `9`, `_` and `-`, it is replaced by its [portable
    /// name](tool_runtime::tool::portable_name). Calls to the server always use the server's own names.
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// Sets the name of the [container](RemoteServer::container).
    pub fn container_name(mut self, name: impl Into<String>) -> Self {
        self.container = name.into();
        self
    }

    /// Sets the function that passes questions of the server to the user. Without one, the handshake says that questions are not answered.
    pub fn elicitation<F, R>(mut self, ask: F) -> Self
    where
        F: Fn(Elicitation) -> R + Send + Sync + 'static,
        R: Future<Output = ElicitationReply> + Send + 'static,
    {
        self.settings.hook = Some(Hook::new(ask));
        self
    }

    /// Sets the timeout of a call, 1 min by default. If the server sends neither an answer nor a progress report for this time, and no
    /// question to the user is open, the call is cancelled and answered with `timeout`.
    ///
    /// The duration of the whole call is limited by the toolbox, as for any tool.
    pub fn call_timeout(mut self, timeout: Duration) -> Self {
        self.settings.patience = timeout;
        self
    }

    /// Sets the maximum time in which the server has to start and complete the handshake; 1 min by default.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.settings.connect_timeout = timeout;
        self
    }

    /// Sets the maximum size of one message in bytes, 8 MiB by default. A longer response is dropped, and its call is answered with an
    /// error.
    pub fn max_message_bytes(mut self, bytes: usize) -> Self {
        self.settings.message_limit = bytes;
        self
    }

    /// Sets the maximum number of tools, 1,000 by default. Further tools are [left out](RemoteServer::skipped_tools).
    pub fn max_tools(mut self, most: usize) -> Self {
        self.most_tools = most;
        self
    }

    /// Connects with the handshake of the protocol revisions before 2026-07-28, without asking the server whether it supports revision
    /// 2026-07-28.
    pub fn legacy(mut self) -> Self {
        self.settings.is_legacy = true;
        self
    }

    /// Sets the clock that measures timeouts and pauses. The clock needs a timer: without one, nothing times out.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.settings.clock = Arc::new(clock);
        self
    }
}

impl IntoFuture for Connect {
    type Output = Result<RemoteServer, ConnectError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        let Self { endpoint, prefix, container, most_tools, settings } = self;
        Box::pin(RemoteServer::new(Link::new(endpoint, settings), prefix, container, most_tools))
    }
}

impl fmt::Debug for Connect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connect")
            .field("name", &self.settings.name)
            .field("endpoint", &self.endpoint)
            .finish_non_exhaustive()
    }
}
