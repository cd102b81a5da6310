//! The requests of clients of revision 2026-07-28, none of which belongs to a session.

use std::sync::Arc;

use http_body_util::combinators::BoxBody;
use hyper::StatusCode;
use hyper::header::HeaderMap;
use rmcp::model::RequestId;
use tokio::sync::watch;

use super::super::asked::{INTERNAL, INVALID_PARAMS, INVALID_REQUEST};
use super::super::call::Call;
use super::super::connection::Connection;
use super::super::frame::{Frame, Message};
use super::super::parts::text;
use super::answers::{METHOD_NOT_FOUND, accepted, error_answer, error_code, stream};
use super::headers::{RequestParts, mismatch};
use super::reader::Beginning;
use super::stateless::{Stateless, Unsent};
use super::table::{Table, Unavailable};
use tool_mcp::__private_0_1_0::http::{HttpAnswer, Until, json, refuse, too_many_sessions};

/// The headers of a request do not fit its message.
const HEADER_MISMATCH: i32 = -32_020;

/// The codes of errors that are answered with the status 400: a header mismatch, a missing capability, an unsupported revision.
const BAD_REQUESTS: [i64; 3] = [-32_020, -32_021, -32_022];

/// Answers a message of a client.
pub(super) async fn post(
    table: &Arc<Table>,
    user: Option<&String>,
    (headers, in_header, in_body): (&HeaderMap, Option<&str>, Option<String>),
    (frame, parts): (&Frame, Option<&RequestParts<'_>>),
    stopped: watch::Receiver<bool>,
) -> HttpAnswer {
    let bad = |id, code, text: &str| error_answer(StatusCode::BAD_REQUEST, id, code, text);
    let Some(parts) = parts else {
        return bad(None, INVALID_REQUEST, "No request of the server is open.");
    };
    let Message::Request { id, method, params } = frame.message() else {
        // A request is cancelled by closing its stream. Its id says nothing, because other clients use the same ones.
        if parts.method == "notifications/cancelled" {
            return accepted();
        }
        if let Some(text) = mismatch(headers, parts, &[]) {
            return bad(None, HEADER_MISMATCH, &text);
        }
        return match table.stateless(user) {
            Ok(connection) => connection.send(frame.clone()).await.map_or_else(|_| gone(None), |()| accepted()),
            Err(unavailable) => refused(&unavailable),
        };
    };
    let missing = missing_meta(parts);
    let Some(in_body) = in_body else {
        let text = format!("The request needs these members of _meta: {}.", missing.join(", "));
        return bad(Some(&id), INVALID_PARAMS, &text);
    };
    if in_header != Some(&in_body) {
        let text = "The header MCP-Protocol-Version does not match the message.";
        return bad(Some(&id), HEADER_MISMATCH, text);
    }
    let connection = match table.stateless(user) {
        Ok(connection) => connection,
        Err(unavailable) => return refused(&unavailable),
    };
    let call = if method == "tools/call" { Call::of(params) } else { None };
    let mut text = mismatch(headers, parts, &[]);
    if let (None, Some(call)) = (&text, &call) {
        text = mismatch(headers, parts, &connection.headers_of(call).await);
    }
    if let Some(text) = text {
        return bad(Some(&id), HEADER_MISMATCH, &text);
    }
    let answer = ask(&connection, frame, parts, !missing.is_empty()).await;
    if method == "subscriptions/listen" { answer.map(|body| BoxBody::new(Until::new(body, stopped))) } else { answer }
}

/// Sends a request to the server.
async fn ask(
    connection: &Arc<Connection<Stateless>>,
    frame: &Frame,
    parts: &RequestParts<'_>,
    is_incomplete: bool,
) -> HttpAnswer {
    let (running, mut reader) = match connection.request(frame, parts).await {
        Ok(running) => running,
        Err(Unsent::Refused(refused)) => return json(StatusCode::OK, refused.into_line()),
        Err(Unsent::Gone) => return gone(Some(&parts.id)),
    };
    match reader.beginning().await {
        Beginning::Nothing => gone(Some(&parts.id)),
        Beginning::Answer(answer) => json(status(&answer, is_incomplete), answer.into_line()),
        Beginning::Message => stream(reader.with(running)),
    }
}

/// Returns the members of `_meta` that every request needs and this one does not have.
fn missing_meta(parts: &RequestParts<'_>) -> Vec<&'static str> {
    let meta = &parts.meta;
    let is_object = |part: Option<&serde_json::value::RawValue>| part.is_some_and(|part| part.get().starts_with('{'));
    let members = [
        ("io.modelcontextprotocol/protocolVersion", text(meta.version).is_some()),
        ("io.modelcontextprotocol/clientInfo", is_object(meta.client)),
        ("io.modelcontextprotocol/clientCapabilities", is_object(meta.capabilities)),
    ];
    members.into_iter().filter(|(_, is_present)| !is_present).map(|(name, _)| name).collect()
}

/// Returns the status that the protocol demands for an answer.
fn status(answer: &Frame, is_incomplete: bool) -> StatusCode {
    match error_code(answer) {
        Some(METHOD_NOT_FOUND) => StatusCode::NOT_FOUND,
        Some(code) if BAD_REQUESTS.contains(&code) => StatusCode::BAD_REQUEST,
        Some(code) if code == i64::from(INVALID_PARAMS) && is_incomplete => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    }
}

fn refused(unavailable: &Unavailable) -> HttpAnswer {
    match unavailable {
        Unavailable::TooMany => too_many_sessions(),
        Unavailable::Failed => refuse(StatusCode::INTERNAL_SERVER_ERROR, "A server cannot be started."),
    }
}

fn gone(id: Option<&RequestId>) -> HttpAnswer {
    error_answer(StatusCode::BAD_GATEWAY, id, INTERNAL, "The server has ended.")
}
