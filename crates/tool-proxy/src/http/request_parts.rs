//! The parts of a request over HTTP, [`RequestParts`], the headers that repeat them ([`mismatch`]), and the forms of answers.
//!
//! protocol version 2026-07-28 demands these headers, so that programs between client and server can route a message, and demands that a server compares
//! them with the message.

use std::borrow::Cow;
use std::convert::Infallible;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http_body_util::Empty;
use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Bytes};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::{Response, StatusCode};
use rmcp::model::RequestId;

use crate::frame::{Answer, Frame, Message};
use crate::mcp_headers::{ArgumentHeader, METHOD_HEADER, STREAM, repeated_headers};
use crate::members::{CAPABILITIES, CLIENT, LOG_LEVEL, VERSION, is_token, member, parsed, pick};
use crate::own_messages::{INTERNAL, error};
use tool_mcp::__private_0_1_0::http::{HttpAnswer, json, reject};

/// An answer, or the rejection of a request.
pub(super) type Answered = Result<HttpAnswer, Box<HttpAnswer>>;

/// Returns an answer with a stream of events.
pub(super) fn stream(body: impl Body<Data = Bytes, Error = Infallible> + Send + Sync + 'static) -> HttpAnswer {
    let mut answer = Response::new(BoxBody::new(body));
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(STREAM));
    answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    answer
}

/// Returns an answer without a body: 202 for a message that gets no answer, and 204 for the end of a session, because official clients warn their
/// users about the status 202 there.
pub(super) fn empty(status: StatusCode) -> HttpAnswer {
    let mut answer = Response::new(BoxBody::new(Empty::new()));
    *answer.status_mut() = status;
    answer
}

/// Returns an error of JSON-RPC, for a request or for a message that is none.
pub(super) fn error_answer(status: StatusCode, id: Option<&RequestId>, code: i32, text: &str) -> HttpAnswer {
    let line = id.map_or_else(
        || serde_json::json!({"jsonrpc": "2.0", "id": null, "error": {"code": code, "message": text}}).to_string(),
        |id| error(id, code, text).into_line(),
    );
    json(status, line)
}

/// Returns the answer to a request whose server has ended.
pub(super) fn gone(id: Option<&RequestId>) -> HttpAnswer {
    error_answer(StatusCode::BAD_GATEWAY, id, INTERNAL, "The server has ended.")
}

/// Returns the answer to a request that names an unknown session.
pub(super) fn no_session() -> HttpAnswer {
    reject(StatusCode::NOT_FOUND, "There is no such session.")
}

/// Returns the code of an answer that is an error.
pub(super) fn error_code(answer: &Frame) -> Option<i32> {
    match answer.message() {
        Message::Response { answer: Answer::Error(error), .. } => parsed(error, "code"),
        _ => None,
    }
}

/// The parts of a request or notification that its transport needs.
pub(super) struct RequestParts<'l> {
    /// 0 for a notification.
    pub(super) id: RequestId,
    pub(super) method: &'l str,
    pub(super) params: &'l str,
    pub(super) version: Option<&'l str>,
    pub(super) client: Option<&'l str>,
    pub(super) capabilities: Option<&'l str>,
    pub(super) has_log_level: bool,
    pub(super) progress_token: Option<&'l str>,
}

impl<'l> RequestParts<'l> {
    /// Parses the parts; `None` for a response.
    pub(super) fn of(frame: &'l Frame) -> Option<Self> {
        let (id, method, params) = match frame.message() {
            Message::Request { id, method, params } => (id, method, params),
            Message::Notification { method, params } => (RequestId::Number(0), method, params),
            Message::Response { .. } | Message::Error => return None,
        };
        let names = [VERSION, CLIENT, CAPABILITIES, LOG_LEVEL, "progressToken"];
        let [version, client, capabilities, level, token] = pick(member(params, "_meta").unwrap_or_default(), names);
        let has_log_level = level.is_some_and(|level| level != "null");
        let progress_token = token.filter(|token| is_token(token));
        Some(Self { id, method, params, version, client, capabilities, has_log_level, progress_token })
    }
}

/// Compares the headers with the message. `arguments` are those that its tool demands. Fails with the reason why they do not fit.
pub(super) fn mismatch(
    headers: &HeaderMap,
    parts: &RequestParts<'_>,
    arguments: &[ArgumentHeader],
) -> Result<(), String> {
    repeated_headers(parts.method, parts.params, arguments, |name, expected| {
        let reason = match (single(headers, name)?, expected) {
            (None, None) => return Ok(()),
            (None, Some(_)) => "is missing",
            (Some(_), None) => "has no counterpart in the message",
            (Some(found), Some(expected)) => {
                // A method is never encoded.
                let found = if name == METHOD_HEADER { Some(found.into()) } else { decoded(found) };
                if found.as_deref() == Some(expected) {
                    return Ok(());
                }
                "does not match the message"
            }
        };
        Err(format!("The header {name} {reason}."))
    })
}

/// Decodes a value that cannot be written in a header as it is.
fn decoded(value: &str) -> Option<Cow<'_, str>> {
    match value.strip_prefix("=?base64?").and_then(|value| value.strip_suffix("?=")) {
        Some(encoded) => String::from_utf8(BASE64_STANDARD.decode(encoded).ok()?).ok().map(Cow::from),
        None => Some(value.into()),
    }
}

/// Returns the value of a header that must not be repeated, because other programs might use another one of its values.
fn single<'h>(headers: &'h HeaderMap, name: &str) -> Result<Option<&'h str>, String> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(format!("The header {name} is repeated."));
    }
    value.to_str().map(Some).map_err(|_| format!("The header {name} is not text."))
}
