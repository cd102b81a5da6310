//! `toolbox proxy --http`: the proxy as a server over HTTP.
//!
//! Invariant: the token of the clients is not printed.

use std::env;
use std::hint::black_box;
use std::io;
use std::net::SocketAddr;

use tokio::net::TcpListener;
use tool_proxy::{ProxyBuilder, ProxyHttp, Servers};

/// The settings of the HTTP side.
#[derive(Debug, Default)]
pub(super) struct Listen {
    pub(super) address: Option<SocketAddr>,
    /// The name of the environment variable that contains the bearer token.
    pub(super) token: Option<String>,
    pub(super) hosts: Vec<String>,
    pub(super) origins: Vec<String>,
}

impl Listen {
    /// Builds the proxy. Fails if other machines could use it without a token.
    pub(super) fn proxy(&self, address: SocketAddr, builder: ProxyBuilder) -> io::Result<ProxyHttp> {
        let invalid = |text: String| io::Error::new(io::ErrorKind::InvalidInput, text);
        let mut proxy = builder.build_http().map_err(io::Error::other)?;
        match &self.token {
            Some(variable) => {
                let missing = || invalid(format!("the environment variable {variable} does not contain a token"));
                let token = env::var(variable).ok().filter(|token| !token.trim().is_empty()).ok_or_else(missing)?;
                let is_valid = move |given: &str| is_same(given.as_bytes(), token.trim().as_bytes());
                proxy = proxy.verify_bearer(move |given| is_valid(given).then(|| "client".to_owned()));
            }
            None if !address.ip().is_loopback() => {
                let text = format!("{address} can be reached from other machines, so `http_token` has to be set");
                return Err(invalid(text));
            }
            None => {}
        }
        if !self.hosts.is_empty() {
            proxy = proxy.hosts(self.hosts.iter().cloned());
        }
        if !self.origins.is_empty() {
            proxy = proxy.origins(self.origins.iter().cloned());
        }
        Ok(proxy)
    }

    /// Serves until `stop` is ready. Each session of a client gets servers of its own.
    pub(super) async fn serve(
        &self,
        address: SocketAddr,
        proxy: &ProxyHttp,
        servers: Servers,
        stop: impl Future<Output = ()>,
    ) -> io::Result<()> {
        let listener = TcpListener::bind(address).await;
        let listener = listener.map_err(|error| io::Error::other(format!("{address} cannot be used: {error}")))?;
        anstream::eprintln!("toolbox proxy: listening on http://{}/mcp", listener.local_addr()?);
        proxy.serve(listener, servers, stop).await
    }
}

/// Compares two tokens in a time that does not depend on where they differ.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let difference = one.iter().zip(other).fold(0, |difference, (one, other)| difference | (one ^ other));
    one.len() == other.len() && black_box(difference) == 0
}

#[cfg(test)]
mod tests {
    use super::is_same;

    #[test]
    fn only_the_whole_token_is_the_same() {
        assert!(is_same(b"s3cret", b"s3cret"));
        for other in [&b"s3cre"[..], b"s3crett", b"S3cret", b""] {
            assert!(!is_same(b"s3cret", other));
        }
    }
}
