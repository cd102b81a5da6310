//! The requests of clients of revision 2026-07-28, none of which belongs to a session.

use std::sync::Arc;

use http_body_util::combinators::BoxBody;
use hyper::StatusCode;
use hyper::header::HeaderMap;
use rmcp::model::RequestId;
use tokio::sync::watch;

use super::super::asked::{INTERNAL, INVALID_PARAMS, INVALID_REQUEST};
use super::super::call::Call;
use super::super::message::Message;
use super::answers::{METHOD_NOT_FOUND, accepted, error_answer, error_code, stream};
use super::headers::mismatch;
use super::parts::{Parts, text};
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
    (line, message, parts): (&str, Message<'_>, &Parts<'_>),
    stopped: watch::Receiver<bool>,
) -> HttpAnswer {
    let bad = |id, code, text: &str| error_answer(StatusCode::BAD_REQUEST, id, code, text);
    let (id, method, params) = match message {
        Message::Request { id, method, params } => (id, method, params),
        Message::Notification { method, .. } => {
            // A request is cancelled by closing its stream. Its id says nothing, because other clients use the same ones.
            if method == "notifications/cancelled" {
                return accepted();
            }
            if let Some(text) = mismatch(headers, parts, &[]) {
                return bad(None, HEADER_MISMATCH, &text);
            }
            return match table.stateless(user) {
                Ok(connection) => connection.notify(line.to_owned()).await.map_or_else(|_| gone(None), |()| accepted()),
                Err(unavailable) => refused(&unavailable),
            };
        }
        Message::Response { .. } | Message::Error => {
            return bad(None, INVALID_REQUEST, "No request of the server is open.");
        }
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
    let answer = ask(&connection, &id, line, !missing.is_empty()).await;
    if method == "subscriptions/listen" { answer.map(|body| BoxBody::new(Until::new(body, stopped))) } else { answer }
}

/// Sends a request to the server.
async fn ask(connection: &Arc<Stateless>, id: &RequestId, line: &str, is_incomplete: bool) -> HttpAnswer {
    let (running, mut reader) = match connection.request(line, id).await {
        Ok(running) => running,
        Err(Unsent::Refused(refused)) => return json(StatusCode::OK, refused),
        Err(Unsent::Gone) => return gone(Some(id)),
    };
    match reader.beginning().await {
        Beginning::Nothing => gone(Some(id)),
        Beginning::Answer(answer) => json(status(&answer, is_incomplete), answer),
        Beginning::Message => stream(reader.with(running)),
    }
}

/// Returns the members of `_meta` that every request needs and this one does not have.
fn missing_meta(parts: &Parts<'_>) -> Vec<&'static str> {
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
fn status(answer: &str, is_incomplete: bool) -> StatusCode {
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
