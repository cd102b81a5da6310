//! Parts that the servers over HTTP share: connections, the user of a request, its body, and refusals.
//!
//! Invariants: reading a request takes bounded time and memory; a bearer token is removed once it has been checked; the number of connections
//! is bounded.

pub mod connections;
mod patient;
mod request;
mod until;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;

use http_body_util::Full;
use http_body_util::combinators::BoxBody;
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use hyper::{Response, StatusCode};

pub use self::request::{Identify, body_of, user_of};
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

/// Returns the origins of web pages that a server on a port serves itself.
pub fn loopback_origins(port: u16) -> Vec<String> {
    ["localhost", "127.0.0.1", "[::1]"].map(|host| format!("http://{host}:{port}")).into()
}

/// Fails if other machines can reach the address, and requests are not checked.
pub fn refuse_exposure(address: SocketAddr, is_checked: bool) -> io::Result<()> {
    if address.ip().is_loopback() || is_checked {
        return Ok(());
    }
    let text =
        format!("{address} can be reached from other machines: set a `bearer` check or `without_authentication`");
    Err(io::Error::new(io::ErrorKind::InvalidInput, text))
}
