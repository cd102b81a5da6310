//! The ways to reach a server: [`Endpoint`].

use std::fmt;
use std::io;
use std::pin::Pin;
use std::process::Stdio;
#[cfg(feature = "http-client")]
use std::sync::Arc;

#[cfg(feature = "http-client")]
use rmcp::transport::streamable_http_client::{StreamableHttpClient, StreamableHttpClientTransportConfig};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::process::{Child, Command};

#[cfg(feature = "http-client")]
use super::http;
use super::line_transport::{Reader, Writer};

/// A way to reach an MCP server. It is used each time that the server has to be started again.
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
    #[cfg(feature = "http-client")]
    Http(Arc<str>, http::Open),
}

/// An endpoint that is open.
pub(super) enum Opened {
    Lines((Reader, Writer), Option<Box<Child>>),
    #[cfg(feature = "http-client")]
    Http(http::Open),
}

type Opening = Pin<Box<dyn Future<Output = io::Result<(Reader, Writer)>> + Send>>;

impl Endpoint {
    /// Starts a child process and communicates over its standard input and output. The standard error of the process is that of the host,
    /// unless the command redirects it.
    ///
    /// The process runs with the rights and the environment of the host, unless the command sets others. When the connection is closed, the
    /// standard input of the process is closed, and if the process has not exited after 2 s, it is killed.
    pub fn process(command: impl Into<Command>) -> Self {
        Self(Kind::Process(Box::new(command.into())))
    }

    /// Communicates over a stream that a function opens, such as a socket. Each message is a line, as with a child process.
    ///
    /// ```
    /// use tokio::net::TcpStream;
    /// use tool_mcp::client::Endpoint;
    ///
    /// let endpoint = Endpoint::from_stream_fn(|| TcpStream::connect("127.0.0.1:4000"));
    /// # drop(endpoint);
    /// ```
    pub fn from_stream_fn<F, R, S>(mut open: F) -> Self
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

    /// Connects to a server with a URL over streamable HTTP, with TLS for `https`. Redirects are only followed within the same origin.
    ///
    /// ```
    /// use tool_mcp::client::Endpoint;
    ///
    /// let endpoint = Endpoint::http("https://example.com/mcp?key=secret");
    /// assert_eq!(format!("{endpoint:?}"), r#"Endpoint("https://example.com/mcp")"#);
    /// ```
    #[cfg(feature = "http-client")]
    pub fn http(url: impl Into<Arc<str>>) -> Self {
        Self::http_with_config(StreamableHttpClientTransportConfig::with_uri(url))
    }

    /// Connects to a server with a URL, with settings of rmcp, such as a token, headers, or the number of concurrent requests. The limits
    /// on the sizes of responses in these settings are replaced by [`max_message_bytes`](super::Connect::max_message_bytes).
    ///
    /// ```
    /// use tool_mcp::client::Endpoint;
    /// use tool_mcp::rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
    ///
    /// let config = StreamableHttpClientTransportConfig::with_uri("https://example.com/mcp").auth_header("token");
    /// assert!(!format!("{:?}", Endpoint::http_with_config(config)).contains("token"));
    /// ```
    #[cfg(feature = "http-client")]
    pub fn http_with_config(config: StreamableHttpClientTransportConfig) -> Self {
        Self(Kind::Http(Arc::clone(&config.uri), http::open(None::<reqwest::Client>, config)))
    }

    /// Connects to a server with a URL, with your own HTTP client. This can be a [`reqwest::Client`] with settings such as a proxy, or
    /// rmcp's `AuthClient`, which obtains tokens by OAuth.
    ///
    /// The client decides which redirects it follows.
    ///
    /// ```
    /// use tool_mcp::client::Endpoint;
    /// use tool_mcp::rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
    ///
    /// # fn main() -> Result<(), reqwest::Error> {
    /// let client = reqwest::Client::builder().no_proxy().build()?;
    /// let config = StreamableHttpClientTransportConfig::with_uri("https://example.com/mcp");
    /// let endpoint = Endpoint::http_with_client(client, config);
    /// # drop(endpoint);
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "http-client")]
    pub fn http_with_client<C>(client: C, config: StreamableHttpClientTransportConfig) -> Self
    where
        C: StreamableHttpClient<Error = reqwest::Error> + Sync,
    {
        Self(Kind::Http(Arc::clone(&config.uri), http::open(Some(client), config)))
    }

    /// Starts the process or opens the streams.
    pub(super) async fn open(&mut self) -> io::Result<Opened> {
        match &mut self.0 {
            Kind::Process(command) => {
                let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
                let mut child = command.spawn()?;
                let missing = || io::Error::from(io::ErrorKind::BrokenPipe);
                let reader = child.stdout.take().ok_or_else(missing)?;
                let writer = child.stdin.take().ok_or_else(missing)?;
                Ok(Opened::Lines((Box::new(reader), Box::new(writer)), Some(Box::new(child))))
            }
            Kind::Streams(open) => Ok(Opened::Lines(open().await?, None)),
            #[cfg(feature = "http-client")]
            Kind::Http(_, open) => Ok(Opened::Http(Arc::clone(open))),
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
    /// Shows the program or the URL, without arguments and environment, and without the user and the query of the URL, because these may contain
    /// secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Process(command) => f.debug_tuple("Endpoint").field(&command.as_std().get_program()).finish(),
            Kind::Streams(_) => f.debug_tuple("Endpoint").field(&"streams").finish(),
            #[cfg(feature = "http-client")]
            Kind::Http(uri, _) => f.debug_tuple("Endpoint").field(&http::redacted_url(uri)).finish(),
        }
    }
}
