//! Parts that the servers over HTTP share: connections, the check of a request and of its user ([`Gate`]), its body, and refusals.
//!
//! Invariants: reading a request takes bounded time and memory; a bearer token is removed once it has been checked; the number of connections
//! is bounded.

pub mod connections;
mod hosts;
mod patient;
mod request;
mod until;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use http_body_util::Full;
use http_body_util::combinators::BoxBody;
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use hyper::http::request::Parts;
use hyper::{Response, StatusCode};

use self::hosts::Hosts;
pub use self::request::body_of;
use self::request::{Identify, user_of};
pub use self::until::Until;

/// An answer over HTTP.
pub type HttpAnswer = Response<BoxBody<Bytes, Infallible>>;

/// The header of requests that belong to a session.
pub const SESSION: &str = "mcp-session-id";

/// The pause, in seconds, before a client should try again to begin a session.
const LATER: &str = "30";

/// Returns an answer with a text.
pub fn refuse(status: StatusCode, text: &'static str) -> HttpAnswer {
    let mut answer = Response::new(BoxBody::new(Full::from(text)));
    *answer.status_mut() = status;
    answer
}

/// Returns an answer with JSON.
pub fn json(status: StatusCode, text: impl Into<Bytes>) -> HttpAnswer {
    let mut answer = Response::new(BoxBody::new(Full::new(text.into())));
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}

/// Returns the answer to a client that cannot begin a session.
pub fn too_many_sessions() -> HttpAnswer {
    let mut answer = refuse(StatusCode::SERVICE_UNAVAILABLE, "There are too many sessions.");
    answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static(LATER));
    answer
}

/// The requests that a server answers: the hosts and origins that they may name, and the check of their users.
pub struct Gate<P> {
    /// The hosts and origins that requests may name.
    pub hosts: Hosts,
    /// The check of bearer tokens; `None` if there is none.
    pub identify: Option<Arc<Identify<P>>>,
    /// `true` if requests need no user although other machines can reach the server.
    pub is_open: bool,
}

impl<P> Clone for Gate<P> {
    fn clone(&self) -> Self {
        Self { hosts: self.hosts.clone(), identify: self.identify.clone(), is_open: self.is_open }
    }
}

impl<P> Gate<P> {
    /// Allows requests to the loopback hosts, without a check of their users.
    pub fn loopback() -> Self {
        Self { hosts: Hosts::loopback(), identify: None, is_open: false }
    }

    /// Prepares for requests to an address: without other origins, the server's own ones are allowed. Fails if other machines can reach the address, and
    /// users are not checked.
    pub fn at(mut self, address: SocketAddr) -> io::Result<Self> {
        if !(address.ip().is_loopback() || self.identify.is_some() || self.is_open) {
            let text = format!(
                "{address} can be reached from other machines: set a `bearer` check or `without_authentication`"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        if self.hosts.origins.is_empty() {
            let origin = |host| format!("http://{host}:{}", address.port());
            self.hosts.origins = ["localhost", "127.0.0.1", "[::1]"].map(origin).into();
        }
        Ok(self)
    }

    /// Returns the user of a request, or the refusal of a request that is not answered. The bearer token is removed.
    pub fn user_of(&self, head: &mut Parts) -> Result<Option<P>, Box<HttpAnswer>> {
        if let Some(refusal) = self.hosts.refusal(&head.uri, &head.headers) {
            return Err(Box::new(refusal));
        }
        if head.headers.get_all(SESSION).iter().nth(1).is_some() {
            return Err(Box::new(refuse(StatusCode::BAD_REQUEST, "The header Mcp-Session-Id is repeated.")));
        }
        user_of(&mut head.headers, self.identify.as_deref())
    }
}
