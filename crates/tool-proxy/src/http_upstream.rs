//! The settings of a server behind a URL: [`HttpUpstream`].
//!
//! Invariants: neither a call nor a secret reaches another origin; no secret is shown.

use std::error::Error as _;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, io};

use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, WWW_AUTHENTICATE};
use reqwest::{Certificate, Client, Url};

use crate::private::bounded;
use tool_mcp::__private_0_1_0::client::{client_builder, redacted_url};

/// The largest number of characters of an error that are shown.
pub(super) const SHOWN: usize = 300;
/// The time in which a connection has to be made.
const CONNECTING: Duration = Duration::from_secs(10);
/// The time after which an unused connection is closed. Servers close theirs after a longer time.
const UNUSED: Duration = Duration::from_secs(10);
/// The time after which it is checked that a silent connection still exists.
const SILENT: Duration = Duration::from_secs(30);

/// A server that is reached over streamable HTTP, or over the older HTTP with server-sent events if it has nothing else.
///
/// Secrets belong in headers, which are never shown. A secret is only sent over `https`, or to a loopback address.
///
/// ```no_run
/// use tool_proxy::{Proxy, HttpUpstream};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let server = HttpUpstream::new("https://mcp.example.com/mcp")?.bearer(&std::env::var("EXAMPLE_TOKEN")?)?;
/// Proxy::builder().build()?.serve_stdio(server, std::future::pending()).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use]
pub struct HttpUpstream {
    pub(super) url: Url,
    headers: HeaderMap,
    token: Option<Arc<TokenSource>>,
    roots: Vec<Certificate>,
}

type TokenSource = dyn Fn(Option<String>) -> Pin<Box<dyn Future<Output = io::Result<String>> + Send>> + Send + Sync;

impl HttpUpstream {
    /// Creates a server from its `http` or `https` URL.
    ///
    /// # Errors
    ///
    /// Fails if the URL is not valid, or contains a user name or a password.
    pub fn new(url: &str) -> io::Result<Self> {
        let mut url = Url::parse(url).map_err(|error| invalid(format!("the URL is not valid: {error}")))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(invalid("the URL has to begin with `https://` or `http://`"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(invalid("the URL contains a user name or a password, which belong in a header"));
        }
        url.set_fragment(None);
        Ok(Self { url, headers: HeaderMap::new(), token: None, roots: Vec::new() })
    }

    /// Sets a header of all requests. A header that is set twice has the last value.
    ///
    /// # Errors
    ///
    /// Fails if the name or the value is not valid, or if the protocol itself uses the header.
    pub fn header(mut self, name: &str, value: &str) -> io::Result<Self> {
        let given = HeaderName::try_from(name).map_err(|_| invalid(format!("`{name}` is not the name of a header")))?;
        let used = ["accept", "content-type", "content-length", "host", "last-event-id"];
        if used.contains(&given.as_str()) || given.as_str().starts_with("mcp-") {
            return Err(invalid(format!("the protocol itself uses the header {given}")));
        }
        self.headers.insert(given, secret(value, name)?);
        Ok(self)
    }

    /// Sets the token of the header `Authorization: Bearer …`.
    ///
    /// # Errors
    ///
    /// Fails if the token contains characters that a header cannot have.
    pub fn bearer(self, token: &str) -> io::Result<Self> {
        self.header(AUTHORIZATION.as_str(), &format!("Bearer {}", token.trim()))
    }

    /// Sets a function that returns the token of the header `Authorization: Bearer …`. The function is called before each request, so a token
    /// can be replaced while the proxy runs. Its argument is the token that the server has just rejected with the status 401; if the function
    /// returns another token then, the request is sent once more.
    pub fn bearer_with<T>(mut self, token: impl Fn(Option<String>) -> T + Send + Sync + 'static) -> Self
    where
        T: Future<Output = io::Result<String>> + Send + 'static,
    {
        self.token = Some(Arc::new(move |rejected| Box::pin(token(rejected))));
        self
    }

    /// Adds root certificates in the PEM format to those of the operating system.
    ///
    /// # Errors
    ///
    /// Fails if the text contains no valid certificate.
    pub fn root_certificates(mut self, pem: &[u8]) -> io::Result<Self> {
        let roots = Certificate::from_pem_bundle(pem).unwrap_or_default();
        if roots.is_empty() {
            return Err(invalid("there is no valid certificate in the PEM format"));
        }
        self.roots.extend(roots);
        Ok(self)
    }

    /// Sends a request without a token. Returns the header `WWW-Authenticate` of its rejection, which names the authorization server (RFC 9728);
    /// `None` if there is none.
    ///
    /// # Errors
    ///
    /// Fails if the server cannot be reached.
    pub async fn challenge(&self) -> io::Result<Option<String>> {
        let request = self.client()?.post(self.url.clone()).header(ACCEPT, "application/json, text/event-stream");
        let response = request.send().await.map_err(|error| io::Error::other(reason(&error)))?;
        Ok(response.headers().get(WWW_AUTHENTICATE).and_then(|header| header.to_str().ok()).map(str::to_owned))
    }

    /// Returns the URL without the parts that may contain secrets.
    pub(super) fn shown(&self) -> String {
        redacted_url(self.url.as_str())
    }

    /// Fails if secrets would be sent to other machines without encryption.
    pub(super) fn check(&self) -> io::Result<()> {
        let has_secrets = self.token.is_some() || !self.headers.is_empty();
        if has_secrets && self.url.scheme() == "http" && !is_loopback(&self.url) {
            return Err(invalid("headers and tokens are only sent over `https`, or to a loopback address"));
        }
        Ok(())
    }

    /// Creates the client of a connection.
    pub(super) fn client(&self) -> io::Result<Client> {
        let mut client = client_builder().connect_timeout(CONNECTING).pool_idle_timeout(UNUSED).tcp_keepalive(SILENT);
        if is_loopback(&self.url) {
            // A proxy of the system would get the secrets.
            client = client.no_proxy();
        }
        let roots = self.roots.iter().cloned();
        let client = client.default_headers(self.headers.clone()).tls_certs_merge(roots);
        client.build().map_err(io::Error::other)
    }

    /// Returns the token, if there is a function for it. `rejected` is the one that the server does not accept.
    pub(super) async fn token(&self, rejected: Option<String>) -> io::Result<Option<String>> {
        let Some(token) = &self.token else { return Ok(None) };
        Ok(Some(token(rejected).await?.trim().to_owned()))
    }
}

/// Returns the header with a token.
pub(super) fn authorization(token: &str) -> io::Result<HeaderValue> {
    secret(&format!("Bearer {token}"), "token")
}

/// Returns a value that is not shown. `name` is the header, for the error.
fn secret(value: &str, name: &str) -> io::Result<HeaderValue> {
    let mut value =
        HeaderValue::from_str(value).map_err(|_| invalid(format!("the value of {name} cannot be sent in a header")))?;
    value.set_sensitive(true);
    Ok(value)
}

/// Returns the innermost reason of an error. The outer ones contain the URL.
pub(super) fn reason(error: &reqwest::Error) -> String {
    let inner = std::iter::successors(error.source(), |&outer| outer.source()).last();
    let text = inner.map_or_else(|| "the request failed".to_owned(), ToString::to_string);
    bounded::text(&text, SHOWN).into_owned()
}

fn is_loopback(url: &Url) -> bool {
    match url.host_str() {
        Some("localhost") => true,
        Some(host) => {
            host.trim_matches(['[', ']']).parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
        }
        None => false,
    }
}

pub(super) fn invalid(text: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, text.into())
}

impl fmt::Debug for HttpUpstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpUpstream").field("url", &self.shown()).finish_non_exhaustive()
    }
}
