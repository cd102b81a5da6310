//! The servers behind a proxy: [`Servers`], each of which is an [`Upstream`] until it runs as a [`Server`].

use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{fmt, io};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::process::{Child, Command};
use tokio::time::timeout;

#[cfg(feature = "remote")]
use crate::http_upstream::HttpUpstream;
use crate::layers::Layers;
use crate::sync::locked;

/// The servers behind a proxy: the commands that start them, or their URLs.
///
/// The tools and prompts of each server get a prefix, by default its name with `_`, so that the client can tell them apart. A
/// [`Command`] alone is one server whose names stay as they are.
///
/// ```no_run
/// use std::process::Command;
/// use tool_proxy::{Proxy, Servers};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let servers = Servers::new()
///     .add("time", Command::new("mcp-server-time"))
///     .add_with_prefix("git", "", Command::new("mcp-server-git"));
/// Proxy::builder().build()?.serve_stdio(servers, std::future::pending()).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct Servers(Vec<Entry>);

#[derive(Clone)]
struct Entry {
    /// `None` for the only server, whose lines are not routed.
    name: Option<String>,
    prefix: String,
    upstream: Upstream,
}

/// A server behind a proxy: the [`Command`] that starts it, or an `HttpUpstream`.
#[derive(Clone)]
pub struct Upstream(Kind);

#[derive(Clone)]
enum Kind {
    Command(Arc<Mutex<Command>>),
    #[cfg(feature = "remote")]
    Remote(Box<HttpUpstream>),
}

impl Servers {
    /// Creates a list without servers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a server. The names of its tools and prompts get the prefix `NAME_`.
    pub fn add(self, name: impl Into<String>, server: impl Into<Upstream>) -> Self {
        let name = name.into();
        let prefix = format!("{name}_");
        self.add_with_prefix(name, prefix, server)
    }

    /// Adds a server whose tools and prompts get this prefix, which can be empty. If two servers list tools with the same full name, the tool of the
    /// server that was added first counts, and the log gets a remark about the other one.
    pub fn add_with_prefix(
        mut self,
        name: impl Into<String>,
        prefix: impl Into<String>,
        server: impl Into<Upstream>,
    ) -> Self {
        self.0.push(Entry { name: Some(name.into()), prefix: prefix.into(), upstream: server.into() });
        self
    }

    /// Returns the names and prefixes of the servers; `None` for one server whose messages are not routed.
    pub(super) fn names(&self) -> Option<Vec<(String, String)>> {
        self.0.iter().map(|entry| Some((entry.name.clone()?, entry.prefix.clone()))).collect()
    }

    /// Starts the servers of a connection. Can be called many times, for example for each session of a client. One of several servers that cannot
    /// be started is left out; fails if none can be started.
    pub(super) fn start(&self, layers: &mut Layers) -> io::Result<Vec<Started>> {
        let mut failure = io::Error::from(io::ErrorKind::InvalidInput);
        let mut started = Vec::new();
        if let [Entry { name: None, upstream, .. }] = &*self.0 {
            layers.guard.pin_name = Some(upstream.pin_name());
        }
        for (number, entry) in self.0.iter().cloned().enumerate() {
            let first = entry.upstream.start();
            let first = first.map_err(|error| {
                if layers.has_router() {
                    layers.remark(number, &format!("the server cannot be started: {error}"));
                    layers.lose(number, "");
                }
                failure = error;
            });
            started.push(Started { first: first.ok(), start: Box::new(move || entry.upstream.start()) });
        }
        if started.iter().all(|started| started.first.is_none()) {
            return Err(failure);
        }
        Ok(started)
    }
}

impl Upstream {
    /// Starts a child process whose standard input and output are pipes. A remote server runs already.
    fn start(&self) -> io::Result<Server> {
        match &self.0 {
            Kind::Command(command) => {
                let mut child = locked(command).spawn()?;
                let missing = || io::Error::from(io::ErrorKind::BrokenPipe);
                let (output, input) =
                    (child.stdout.take().ok_or_else(missing)?, child.stdin.take().ok_or_else(missing)?);
                Ok(Server::Streams { output: Box::new(output), input: Box::new(input), process: Some(child) })
            }
            #[cfg(feature = "remote")]
            Kind::Remote(server) => {
                server.check()?;
                Ok(Server::Remote(server.clone()))
            }
        }
    }

    /// Returns the name under which the definitions of the server are remembered: its program, with a hash of its arguments, or its URL without
    /// the query. Arguments and the query may contain secrets.
    fn pin_name(&self) -> String {
        match &self.0 {
            Kind::Command(command) => {
                let command = locked(command);
                let program = Path::new(command.as_std().get_program()).file_stem().unwrap_or_default();
                let arguments = command.as_std().get_args().flat_map(|argument| [argument.as_encoded_bytes(), b"\0"]);
                // FNV-1a: another version of the proxy must find the same name.
                let hash = arguments.flatten().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
                    (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
                });
                format!("{}-{hash:016x}", program.to_string_lossy())
            }
            #[cfg(feature = "remote")]
            Kind::Remote(server) => server.shown(),
        }
    }
}

impl From<Command> for Upstream {
    fn from(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        Self(Kind::Command(Arc::new(Mutex::new(command))))
    }
}

impl From<std::process::Command> for Upstream {
    fn from(command: std::process::Command) -> Self {
        Command::from(command).into()
    }
}

#[cfg(feature = "remote")]
impl From<HttpUpstream> for Upstream {
    fn from(server: HttpUpstream) -> Self {
        Self(Kind::Remote(Box::new(server)))
    }
}

/// One server, whose names stay as they are.
impl<U: Into<Upstream>> From<U> for Servers {
    fn from(server: U) -> Self {
        Self(vec![Entry { name: None, prefix: String::new(), upstream: server.into() }])
    }
}

impl fmt::Debug for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            // A command can contain secrets.
            Kind::Command(_) => f.write_str("Upstream::Command"),
            #[cfg(feature = "remote")]
            Kind::Remote(server) => server.fmt(f),
        }
    }
}

impl fmt::Debug for Servers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A command can contain secrets.
        let names = self.0.iter().map(|entry| (entry.name.as_deref().unwrap_or_default(), &*entry.prefix));
        f.debug_map().entries(names).finish()
    }
}

/// The time that a server has to exit once its input is closed, or the client to receive the last answers.
pub(super) const EXITING: Duration = Duration::from_secs(2);

pub(super) type Output = Box<dyn AsyncRead + Send + Unpin>;
pub(super) type Input = Box<dyn AsyncWrite + Send + Unpin>;

/// A server that runs.
pub(super) enum Server<R = Output, W = Input> {
    Streams {
        output: R,
        input: W,
        /// Killed when it is dropped.
        process: Option<Child>,
    },
    #[cfg(feature = "remote")]
    Remote(Box<HttpUpstream>),
}

/// A server, unless it could not be started, and the function that starts it again.
pub(super) struct Started {
    pub(super) first: Option<Server>,
    pub(super) start: Box<dyn FnMut() -> io::Result<Server> + Send>,
}

/// Waits until a process has exited; kills it if that takes too long.
pub(super) async fn exit_code(process: Option<Child>, patience: Duration) -> Option<i32> {
    let mut process = process?;
    if let Ok(status) = timeout(patience, process.wait()).await {
        return status.ok()?.code();
    }
    let _ = process.kill().await;
    None
}
