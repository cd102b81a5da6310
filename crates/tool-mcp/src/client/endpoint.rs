//! The ways to reach a server: [`Endpoint`].

use std::fmt;
use std::io;
use std::pin::Pin;
use std::process::Stdio;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::process::{Child, Command};

use super::wire::{Reader, Writer};

/// A way to reach an MCP server. It is used again whenever the server has to be restarted.
///
/// A [`std::process::Command`] or a [`tokio::process::Command`] converts into an endpoint.
///
/// ```
/// use std::process::Command;
/// use tool_mcp::client::Endpoint;
///
/// let mut command = Command::new("mcp-server-files");
/// command.arg("/srv").env("LOG", "warn");
/// let endpoint = Endpoint::from(command);
/// assert_eq!(format!("{endpoint:?}"), r#"Endpoint("mcp-server-files")"#);
/// ```
pub struct Endpoint(Kind);

enum Kind {
    Process(Box<Command>),
    Streams(Box<dyn FnMut() -> Opening + Send>),
}

type Opening = Pin<Box<dyn Future<Output = io::Result<(Reader, Writer)>> + Send>>;

impl Endpoint {
    /// Starts a child process and speaks over its standard input and output. Its standard error is that of the command,
    /// by default the standard error of the host.
    ///
    /// The process runs with the rights and the environment of the host, unless the command sets others. When the connection is closed, its
    /// standard input is closed, and a process that has not exited after 2 s is killed.
    pub fn process(command: impl Into<Command>) -> Self {
        Self(Kind::Process(Box::new(command.into())))
    }

    /// Speaks over streams that a function opens, such as a socket. Messages are lines, as for a child process.
    ///
    /// ```
    /// use tokio::net::TcpStream;
    /// use tool_mcp::client::Endpoint;
    ///
    /// let endpoint = Endpoint::streams(|| TcpStream::connect("127.0.0.1:4000"));
    /// # drop(endpoint);
    /// ```
    pub fn streams<F, R, S>(mut open: F) -> Self
    where
        F: FnMut() -> R + Send + 'static,
        R: Future<Output = io::Result<S>> + Send + 'static,
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        let open = move || -> Opening {
            let opening = open();
            Box::pin(async move {
                let (reader, writer) = tokio::io::split(opening.await?);
                Ok((Box::new(reader) as Reader, Box::new(writer) as Writer))
            })
        };
        Self(Kind::Streams(Box::new(open)))
    }

    /// Starts the process or opens the streams.
    pub(super) async fn open(&mut self) -> io::Result<((Reader, Writer), Option<Child>)> {
        match &mut self.0 {
            Kind::Process(command) => {
                let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
                let mut child = command.spawn()?;
                let missing = || io::Error::from(io::ErrorKind::BrokenPipe);
                let reader = child.stdout.take().ok_or_else(missing)?;
                let writer = child.stdin.take().ok_or_else(missing)?;
                Ok(((Box::new(reader), Box::new(writer)), Some(child)))
            }
            Kind::Streams(open) => Ok((open().await?, None)),
        }
    }
}

impl From<Command> for Endpoint {
    fn from(command: Command) -> Self {
        Self::process(command)
    }
}

impl From<std::process::Command> for Endpoint {
    fn from(command: std::process::Command) -> Self {
        Self::process(command)
    }
}

impl fmt::Debug for Endpoint {
    /// Formats the program, without arguments and environment, which may contain secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Process(command) => f.debug_tuple("Endpoint").field(&command.as_std().get_program()).finish(),
            Kind::Streams(_) => f.debug_tuple("Endpoint").field(&"streams").finish(),
        }
    }
}
