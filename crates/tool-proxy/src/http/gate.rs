//! The answer to one HTTP request: [`Gate`].
//!
//! The checks that all revisions share are here; `sessions` and `requests` have the rest.

use std::sync::Arc;

use hyper::body::Incoming;
use hyper::header::{ACCEPT, ALLOW, CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::{Method, Request, StatusCode};
use rmcp::model::ProtocolVersion;
use tokio::sync::watch;

use super::super::asked::INVALID_REQUEST;
use super::super::frame::{Frame, NoMessage};
use super::super::parts::text;
use super::answers::{JSON, STREAM, error_answer};
use super::headers::{RequestParts, VERSION};
use super::hosts::Hosts;
use super::table::Table;
use super::{requests, sessions};
use tool_mcp::__private_0_1_0::http::{self, HttpAnswer, SESSION, body_of, refuse, user_of};

pub(super) type Identify = http::Identify<String>;

const PARSE_ERROR: i32 = -32_700;

/// The path of the endpoint.
const PATH: &str = "/mcp";

/// The first revision without sessions.
const STATELESS: &str = "2026-07-28";

/// The answers to the requests of all clients.
pub(super) struct Gate {
    pub(super) table: Arc<Table>,
    pub(super) hosts: Hosts,
    pub(super) identify: Option<Arc<Identify>>,
}

impl Gate {
    /// Answers a request.
    pub(super) async fn answer(
        self: Arc<Self>,
        request: Request<Incoming>,
        stopped: watch::Receiver<bool>,
    ) -> HttpAnswer {
        let (mut head, body) = request.into_parts();
        if let Some(refusal) = self.hosts.refusal(&head.uri, &head.headers) {
            return refusal;
        }
        if head.uri.path() != PATH {
            return refuse(StatusCode::NOT_FOUND, "The endpoint is /mcp.");
        }
        if head.headers.get_all(SESSION).iter().nth(1).is_some() {
            return refuse(StatusCode::BAD_REQUEST, "The header Mcp-Session-Id is repeated.");
        }
        let user = match user_of(&mut head.headers, self.identify.as_deref()) {
            Ok(user) => user,
            Err(refusal) => return *refusal,
        };
        let (table, user, headers) = (&self.table, user.as_ref(), &head.headers);
        let revision = match revision(headers) {
            Ok(revision) => revision,
            Err(refusal) => return *refusal,
        };
        let is_stateless = revision.is_some_and(|revision| revision >= STATELESS);
        match head.method {
            Method::POST => self.post(user, (headers, revision), body, stopped).await,
            Method::GET if !accepts(headers, STREAM) => {
                refuse(StatusCode::NOT_ACCEPTABLE, "A client must accept text/event-stream.")
            }
            Method::GET if !is_stateless => sessions::listen(table, user, headers, stopped),
            Method::DELETE if !is_stateless => sessions::end(table, user, headers),
            _ => {
                let mut answer = refuse(StatusCode::METHOD_NOT_ALLOWED, "Method Not Allowed");
                let allowed = if is_stateless { "POST" } else { "GET, POST, DELETE" };
                answer.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
                answer
            }
        }
    }

    async fn post(
        &self,
        user: Option<&String>,
        (headers, in_header): (&HeaderMap, Option<&str>),
        body: Incoming,
        stopped: watch::Receiver<bool>,
    ) -> HttpAnswer {
        if !accepts(headers, JSON) || !accepts(headers, STREAM) {
            let text = "A client must accept application/json and text/event-stream.";
            return refuse(StatusCode::NOT_ACCEPTABLE, text);
        }
        let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if !kind.is_some_and(|kind| is_kind(kind, JSON)) {
            return refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, "The Content-Type must be application/json.");
        }
        let body = match body_of(body, self.table.message_limit()).await {
            Ok(body) => body,
            Err(refusal) => return *refusal,
        };
        let mut bytes = Vec::from(body);
        // In JSON, line breaks only occur between tokens.
        for byte in &mut bytes {
            if matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
        let Ok(line) = String::from_utf8(bytes) else {
            return error_answer(StatusCode::BAD_REQUEST, None, PARSE_ERROR, "The message is not valid.");
        };
        let frame = match Frame::parse(line) {
            Ok(frame) => frame,
            Err((_, NoMessage::Batch)) => {
                let text = "Send each message in a request of its own.";
                return error_answer(StatusCode::BAD_REQUEST, None, INVALID_REQUEST, text);
            }
            Err((_, NoMessage::Unreadable)) => {
                return error_answer(StatusCode::BAD_REQUEST, None, PARSE_ERROR, "The message is not valid.");
            }
        };
        let parts = RequestParts::of(&frame);
        let in_body = parts.as_ref().and_then(|parts| text(parts.meta.version));
        let is_known = |version: &str| ProtocolVersion::KNOWN_VERSIONS.iter().any(|known| known.as_str() == version);
        if in_body.is_none() && in_header.is_some_and(|version| !is_known(version)) {
            return refuse(StatusCode::BAD_REQUEST, "The revision in MCP-Protocol-Version is not supported.");
        }
        let method = parts.as_ref().map(|parts| parts.method);
        let is_stateless = match in_body.as_deref() {
            _ if method == Some("initialize") => false,
            // An unknown revision is refused by the server.
            Some(version) => version >= STATELESS || !is_known(version),
            None => in_header.is_some_and(|version| version >= STATELESS) || method == Some("server/discover"),
        };
        if is_stateless {
            let versions = (headers, in_header, in_body);
            requests::post(&self.table, user, versions, (&frame, parts.as_ref()), stopped).await
        } else {
            sessions::post(&self.table, user, (headers, in_header), (&frame, parts.as_ref())).await
        }
    }
}

/// Returns the revision that the header names.
fn revision(headers: &HeaderMap) -> Result<Option<&str>, Box<HttpAnswer>> {
    let Some(value) = headers.get(VERSION) else { return Ok(None) };
    let invalid = |_| Box::new(refuse(StatusCode::BAD_REQUEST, "The header MCP-Protocol-Version is not text."));
    value.to_str().map(Some).map_err(invalid)
}

/// Returns `true` if a media type with parameters is the one without.
fn is_kind(value: &str, kind: &str) -> bool {
    value.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(kind)
}

/// Returns `true` if the client accepts answers of a media type.
fn accepts(headers: &HeaderMap, kind: &str) -> bool {
    let values = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).filter(|range| is_kind(range, kind)).any(|range| {
        let mut parameters = range.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
        let is_refused = parameters.any(|(name, weight)| {
            name.trim().eq_ignore_ascii_case("q") && weight.trim().parse::<f32>().is_ok_and(|weight| weight == 0.0)
        });
        !is_refused
    })
}
