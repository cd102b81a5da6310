//! Parts that the servers over HTTP share: connections, the check of a request and of its user ([`Gate`]), its body, and rejections.
//!
//! Invariants: reading a request takes bounded time and memory; a bearer token is removed once it has been checked; the number of connections
//! is bounded.

mod body_until_stopped;
pub mod connections;
mod gate;
mod hosts;
mod user_and_body;
mod write_timeout;

use std::convert::Infallible;

use http_body_util::Full;
use http_body_util::combinators::BoxBody;
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use hyper::{Response, StatusCode};

pub use self::body_until_stopped::BodyUntilStopped;
pub use self::gate::Gate;
pub use self::user_and_body::body_of;

/// An answer over HTTP.
pub type HttpAnswer = Response<BoxBody<Bytes, Infallible>>;

/// The header of requests that belong to a session.
pub static SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

/// The pause, in seconds, before a client should try again to begin a session.
const LATER: &str = "30";

/// Returns an answer with a text.
pub fn reject(status: StatusCode, text: &'static str) -> HttpAnswer {
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
    let mut answer = reject(StatusCode::SERVICE_UNAVAILABLE, "There are too many sessions.");
    answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static(LATER));
    answer
}
