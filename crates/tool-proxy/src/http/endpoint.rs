//! The answer to one HTTP request: [`Endpoint`].
//!
//! The checks that all revisions share are here; `requests` has the rest.

use std::sync::Arc;

use hyper::body::Incoming;
use hyper::header::{ACCEPT, ALLOW, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request, StatusCode};
use rmcp::model::ProtocolVersion;
use tokio::sync::watch;

use crate::action::Received;
use crate::http::request_parts::{Answered, RequestParts, error_answer};
use crate::http::requests::{Head, Post};
use crate::http::table::ConnectionTable;
use crate::mcp_headers::{JSON, STREAM, VERSION_HEADER, is_media_type};
use crate::own_messages::INVALID_REQUEST;
use tool_mcp::__private_0_1_0::Line;
use tool_mcp::__private_0_1_0::http::{Gate, HttpAnswer, body_of, reject};

const PARSE_ERROR: i32 = -32_700;

static VERSION: HeaderName = HeaderName::from_static(VERSION_HEADER);

/// The path of the endpoint.
const PATH: &str = "/mcp";

/// The first revision without sessions.
const STATELESS: &str = "2026-07-28";

/// The answers to the requests of all clients.
pub(super) struct Endpoint {
    pub(super) table: Arc<ConnectionTable>,
    pub(super) gate: Gate<String>,
}

impl Endpoint {
    /// Answers a request.
    pub(super) async fn answer(
        self: Arc<Self>,
        request: Request<Incoming>,
        stopped: watch::Receiver<bool>,
    ) -> HttpAnswer {
        let (head, body) = request.into_parts();
        self.checked(head, body, stopped).await.unwrap_or_else(|rejection| *rejection)
    }

    async fn checked(&self, mut head: Parts, body: Incoming, stopped: watch::Receiver<bool>) -> Answered {
        let user = self.gate.user_of(&mut head)?;
        if head.uri.path() != PATH {
            return Err(Box::new(reject(StatusCode::NOT_FOUND, "The endpoint is /mcp.")));
        }
        let headers = &head.headers;
        let of = Head { table: &self.table, user: user.as_ref(), headers };
        let revision = headers.get(&VERSION).map(HeaderValue::to_str).transpose();
        let text = "The header MCP-Protocol-Version is not text.";
        let revision = revision.map_err(|_| reject(StatusCode::BAD_REQUEST, text))?;
        let is_stateless = revision.is_some_and(|revision| revision >= STATELESS);
        match head.method {
            Method::POST => post(of, revision, body, stopped).await,
            Method::GET if !accepts(headers, &[STREAM]) => {
                Err(Box::new(reject(StatusCode::NOT_ACCEPTABLE, "A client must accept text/event-stream.")))
            }
            Method::GET if !is_stateless => of.listen(stopped),
            Method::DELETE if !is_stateless => of.end(),
            _ => {
                let mut answer = reject(StatusCode::METHOD_NOT_ALLOWED, "Method Not Allowed");
                let allowed = if is_stateless { "POST" } else { "GET, POST, DELETE" };
                answer.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
                Ok(answer)
            }
        }
    }
}

async fn post(head: Head<'_>, in_header: Option<&str>, body: Incoming, stopped: watch::Receiver<bool>) -> Answered {
    let (headers, limit) = (head.headers, head.table.settings.message_limit);
    if !accepts(headers, &[JSON, STREAM]) {
        let text = "A client must accept application/json and text/event-stream.";
        return Err(Box::new(reject(StatusCode::NOT_ACCEPTABLE, text)));
    }
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if !kind.is_some_and(|kind| is_media_type(kind, JSON)) {
        return Err(Box::new(reject(StatusCode::UNSUPPORTED_MEDIA_TYPE, "The Content-Type must be application/json.")));
    }
    let mut bytes = Vec::from(body_of(body, limit).await?);
    // In JSON, line breaks only occur between tokens.
    bytes.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
    let frame = match Received::of(Line::Whole(bytes), usize::MAX) {
        Some(Received::Frame(frame)) => frame,
        Some(Received::Batch(_)) => {
            let text = "Send each message in a request of its own.";
            return Ok(error_answer(StatusCode::BAD_REQUEST, None, INVALID_REQUEST, text));
        }
        _ => return Ok(error_answer(StatusCode::BAD_REQUEST, None, PARSE_ERROR, "The message is not valid.")),
    };
    let parts = RequestParts::of(&frame);
    let in_body = parts.as_ref().and_then(|parts| serde_json::from_str::<String>(parts.version?).ok());
    let is_known = |version: &str| ProtocolVersion::KNOWN_VERSIONS.iter().any(|known| known.as_str() == version);
    if in_body.is_none() && in_header.is_some_and(|version| !is_known(version)) {
        let text = "The version in MCP-Protocol-Version is not supported.";
        return Err(Box::new(reject(StatusCode::BAD_REQUEST, text)));
    }
    let method = parts.as_ref().map(|parts| parts.method);
    let is_stateless = match in_body.as_deref() {
        _ if method == Some("initialize") => false,
        // An unknown revision is rejected by the server.
        Some(version) => version >= STATELESS || !is_known(version),
        None => in_header.is_some_and(|version| version >= STATELESS) || method == Some("server/discover"),
    };
    let post = Post { head, in_header, frame: &frame, parts: parts.as_ref() };
    if is_stateless { post.without_session(in_body, stopped).await } else { post.in_session().await }
}

/// Returns `true` if the client accepts answers of all these media types.
fn accepts(headers: &HeaderMap, kinds: &[&str]) -> bool {
    let ranges = || {
        let values = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(','))
    };
    kinds.iter().all(|kind| ranges().any(|range| is_media_type(range, kind) && !is_rejected(range)))
}

/// Returns `true` if a media range has the weight 0.
fn is_rejected(range: &str) -> bool {
    let mut parameters = range.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    parameters.any(|(name, weight)| {
        name.trim().eq_ignore_ascii_case("q") && weight.trim().parse::<f32>().is_ok_and(|weight| weight == 0.0)
    })
}
