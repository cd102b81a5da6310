//! A proxy between an MCP client and an MCP server that somebody else wrote: [`Proxy`].
//!
//! Messages are forwarded byte for byte. Only the calls of tools are checked: certain mistakes of the model are repaired, others are answered
//! by the proxy with all issues and a hint, and a model that repeats itself is paused. The server only gets calls that the schemas of its tools
//! accept.

mod access;
mod approve;
mod asked;
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
#[cfg(feature = "proxy-http")]
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
mod report;
mod rounds;
mod run;
mod servers;
mod serving;
mod settings;
mod states;
mod timer;
mod translate;

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tool_runtime::clock::{Clock, SystemClock};
use tool_runtime::throttle::Limits;
use tool_runtime::{BuildError, RepairPolicy};

pub use self::access::Access;
pub use self::approve::Approval;
use self::connection::{Shared, locked};
use self::containers::Grouping;
use self::guard::Guard;
#[cfg(feature = "proxy-http")]
pub use self::http::ProxyHttp;
use self::process::Server;
pub use self::report::{ProxyReport, ToolReport};
pub use self::run::ProxyEnd;
use self::run::run;
pub use self::servers::Servers;
use self::settings::Settings;
pub use self::settings::{Restart, ToolOptions, Translation};
use self::translate::translated;

/// A proxy that checks and repairs the calls that a client sends to a server.
///
/// ```no_run
/// use tokio::process::Command;
/// use tool_mcp::proxy::Proxy;
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

/// The settings of a [`Proxy`].
#[must_use = "nothing runs before a proxy is built and connected"]
pub struct ProxyBuilder(Settings);

impl Proxy {
    /// Returns a builder with the default settings.
    pub fn builder() -> ProxyBuilder {
        ProxyBuilder(Settings {
            policy: RepairPolicy::Lossless,
            limits: Some(Limits::default()),
            clock: Arc::new(SystemClock::new()),
            message_limit: 8 * 1_024 * 1_024,
            list_time_limit: Duration::from_secs(10),
            time_limit: None,
            result_bytes: None,
            keep_results: None,
            containers: Vec::new(),
            access: Access::new(),
            approval: Approval::new(),
            tools: HashMap::new(),
            redacted: Vec::new(),
            restart: None,
            translation: Translation::Never,
            dry_run: false,
            record: None,
            log: Box::new(|_| {}),
        })
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
    /// Sets which repairs of rejected arguments are allowed; [`RepairPolicy::Lossless`] by default.
    pub fn repair(mut self, policy: RepairPolicy) -> Self {
        self.0.policy = policy;
        self
    }

    /// Sets the limits of the throttle; [`Limits::default`] by default.
    pub fn throttle(mut self, limits: Limits) -> Self {
        self.0.limits = Some(limits);
        self
    }

    /// Disables the throttle.
    pub fn no_throttle(mut self) -> Self {
        self.0.limits = None;
        self
    }

    /// Sets the largest size of one message in bytes, 8 MiB by default. A longer request or answer is replaced by an error.
    pub fn max_message_bytes(mut self, bytes: usize) -> Self {
        self.0.message_limit = bytes;
        self
    }

    /// Sets the maximum time that calls wait for the server's list of tools, 10 seconds by default. After this time, calls are forwarded
    /// unchecked until the list arrives. With [containers](Self::container), a request of the client for the list is then answered with an
    /// error. One of several servers is missing in a list that it has not answered in this time, and loses its turn for a resource that no
    /// server lists.
    pub fn list_time_limit(mut self, limit: Duration) -> Self {
        self.0.list_time_limit = limit;
        self
    }

    /// Sets the maximum time that the server may take to answer a call; unlimited by default. After this time, the call is answered with an
    /// error, the server gets a cancellation, and a late answer is dropped.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.0.time_limit = Some(limit);
        self
    }

    /// Sets the maximum number of bytes of all texts in a result together; unlimited by default. Longer texts are cut, and a notice says
    /// so. A number below 256 is treated as 256. `structuredContent` is not cut, because clients check it against the schema of the server.
    pub fn result_bytes(mut self, bytes: usize) -> Self {
        self.0.result_bytes = Some(bytes);
        self
    }

    /// Keeps the whole texts of results that are longer than [`result_bytes`](Self::result_bytes), or than 16 KiB if there is no such limit:
    /// at most `bytes` bytes and 256 results of each connection, in memory; the oldest are removed first. The model gets the beginning of a
    /// long text with a handle, and reads on with the tool `read_result`, which the proxy adds to the list of tools and answers itself. A
    /// limit below 1,024 is treated as 1,024. Off by default; long texts are then cut.
    ///
    /// If the server has a tool with the name `read_result`, the log says so, and long texts are cut. [`Access`] and [`Approval`] are about
    /// the tools of the server and do not apply to `read_result`.
    pub fn keep_results(mut self, bytes: usize) -> Self {
        self.0.keep_results = Some(bytes);
        self
    }

    /// Puts the tools whose names match one of these patterns into a container, for clients that have too many tools. A pattern is compared
    /// with the name that the server gave the tool; `*` matches any text. The client sees one tool with this name and description instead,
    /// until the model calls it; see [`Container`](tool_runtime::Container). The proxy then requests and answers lists of tools itself, each
    /// with one page.
    ///
    /// Until revision 2025-11-25, the client gets `notifications/tools/list_changed`, and its next list has the members. In revision
    /// 2026-07-28, the list is fixed: the answer of the container has the definitions of its members, which can be called at any time,
    /// directly or through the tool `call_tool`.
    ///
    /// A tool without a usable definition stays outside of containers. If the server has a tool with the name of the container, the log says
    /// so, and there is no such container.
    pub fn container(
        mut self,
        name: impl Into<String>,
        description: impl Into<String>,
        tools: impl IntoIterator<Item: Into<String>>,
    ) -> Self {
        let tools = tools.into_iter().map(Into::into).collect();
        self.0.containers.push(Grouping { name: name.into(), description: description.into(), tools });
        self
    }

    /// Sets the tools that the client may see and call; all of them by default.
    pub fn access(mut self, access: Access) -> Self {
        self.0.access = access;
        self
    }

    /// Sets the tools whose calls the user has to approve; none by default. The proxy asks by elicitation, if the client has declared that it can;
    /// otherwise, such calls are refused.
    pub fn approval(mut self, approval: Approval) -> Self {
        self.0.approval = approval;
        self
    }

    /// Sets the options of one tool, given by the name that the server gave it.
    pub fn tool(mut self, name: impl Into<String>, options: ToolOptions) -> Self {
        self.0.tools.insert(name.into(), options);
        self
    }

    /// Lets the proxy restart the server after it has exited by itself; off by default. Only [`Proxy::stdio`] can do this. Open requests
    /// are answered with an error, and no request is sent twice. The new server gets the handshake of the client; subscriptions and the log
    /// level are lost.
    pub fn restart(mut self, restart: Restart) -> Self {
        self.0.restart = Some(restart);
        self
    }

    /// Sets when messages are translated between a client and a server of different revisions of the protocol; [`Translation::Never`] by
    /// default. A dry run does not translate.
    pub fn translate(mut self, translation: Translation) -> Self {
        self.0.translation = translation;
        self
    }

    /// Sets whether everything is forwarded unchanged, and the [log](Self::log) only gets remarks about what the proxy would have changed.
    /// The remarks contain the values of arguments, unless you [redact](Self::redact) any argument. The report counts what would have
    /// happened; the server is not restarted.
    pub fn dry_run(mut self, dry_run: bool) -> Self {
        self.0.dry_run = dry_run;
        self
    }

    /// Hides the values of arguments with these names in everything that is recorded, also in nested objects. Values under similar names
    /// are hidden too, because a model can misspell a name.
    pub fn redact(mut self, arguments: impl IntoIterator<Item: Into<String>>) -> Self {
        self.0.redacted = arguments.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the function that receives a line of JSON for each call: its id, tool and arguments as the client sent them, and the verdict of
    /// the proxy. `toolbox check` reads such lines.
    pub fn record(mut self, record: impl FnMut(&str) + Send + 'static) -> Self {
        self.0.record = Some(Mutex::new(Box::new(record)));
        self
    }

    /// Sets the clock of the throttle and of the report.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.0.clock = Arc::new(clock);
        self
    }

    /// Sets the function that receives remarks about the connection, such as a definition that cannot be used. Except for those of a [dry
    /// run](Self::dry_run), they contain no arguments and no results.
    pub fn log(mut self, log: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.0.log = Box::new(log);
        self
    }

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
    #[cfg(feature = "proxy-http")]
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

impl fmt::Debug for ProxyBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { policy, message_limit, .. } = &self.0;
        f.debug_struct("ProxyBuilder")
            .field("policy", policy)
            .field("message_limit", message_limit)
            .finish_non_exhaustive()
    }
}
