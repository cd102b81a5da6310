//! The messages of clients over HTTP: in protocol version 2026-07-28, none belongs to a session, and in earlier protocol versions, each does.

use std::sync::Arc;

use http_body_util::Empty;
use http_body_util::combinators::BoxBody;
use hyper::StatusCode;
use hyper::header::{HeaderMap, HeaderValue};
use tokio::sync::watch;

use crate::connection::Connection;
use crate::frame::{Frame, Message};
use crate::http::client::HttpClient;
use crate::http::request_parts::{
    Answered, RequestParts, empty, error_answer, error_code, gone, mismatch, no_session, stream,
};
use crate::http::streams::{Beginning, Reader, STANDALONE};
use crate::http::table::ConnectionTable;
use crate::mcp_headers::LAST_EVENT;
use crate::members::{CAPABILITIES, CLIENT, VERSION, parsed};
use crate::own_messages::{INTERNAL, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND};
use tool_mcp::__private_0_1_0::http::{BodyUntilStopped, HttpAnswer, SESSION, json, reject};

/// The headers of a request do not fit its message.
const HEADER_MISMATCH: i32 = -32_020;

/// The codes of errors that are answered with the status 400: a header mismatch, a missing capability, an unsupported revision.
const BAD_REQUESTS: [i32; 3] = [-32_020, -32_021, -32_022];

/// The first revision whose clients understand an event without a message.
const PRIMED: &str = "2025-11-25";

/// The sender of a request, and its headers.
#[derive(Clone, Copy)]
pub(super) struct Head<'r> {
    pub(super) table: &'r Arc<ConnectionTable>,
    pub(super) user: Option<&'r String>,
    pub(super) headers: &'r HeaderMap,
}

/// A message that a client has posted.
pub(super) struct Post<'r> {
    pub(super) head: Head<'r>,
    /// The revision that the header names.
    pub(super) in_header: Option<&'r str>,
    pub(super) frame: &'r Frame,
    /// `None` for a response.
    pub(super) parts: Option<&'r RequestParts<'r>>,
}

impl Post<'_> {
    /// Answers a message that belongs to no session. `in_body` is the revision that the message names.
    pub(super) async fn without_session(self, in_body: Option<String>, stopped: watch::Receiver<bool>) -> Answered {
        let Self { head: Head { table, user, headers }, in_header, frame, parts } = self;
        let bad = |id, code, text: &str| error_answer(StatusCode::BAD_REQUEST, id, code, text);
        let parts = parts.ok_or_else(|| bad(None, INVALID_REQUEST, "No request of the server is open."))?;
        let Message::Request { id, method, params } = frame.message() else {
            // A request is cancelled by closing its stream. Its id says nothing, because other clients use the same ones.
            if parts.method != "notifications/cancelled" {
                mismatch(headers, parts, &[]).map_err(|text| bad(None, HEADER_MISMATCH, &text))?;
                table.stateless(user)?.send(frame.clone()).await?;
            }
            return Ok(empty(StatusCode::ACCEPTED));
        };
        let missing = missing_meta(parts);
        let Some(in_body) = in_body else {
            let text = format!("The request needs these members of _meta: {}.", missing.join(", "));
            return Err(bad(Some(&id), INVALID_PARAMS, &text).into());
        };
        if in_header != Some(&in_body) {
            let text = "The header MCP-Protocol-Version does not match the message.";
            return Err(bad(Some(&id), HEADER_MISMATCH, text).into());
        }
        let connection = table.stateless(user)?;
        let mismatched = |text: String| bad(Some(&id), HEADER_MISMATCH, &text);
        mismatch(headers, parts, &[]).map_err(mismatched)?;
        if method == "tools/call"
            && let Some(name) = parsed::<String>(params, "name")
        {
            let repeated = connection.argument_headers(&name, params).await;
            if !repeated.is_empty() {
                mismatch(headers, parts, &repeated).map_err(mismatched)?;
            }
        }
        let mut reader = connection.request(frame, parts).await?;
        match reader.beginning().await {
            Beginning::Nothing => Err(gone(Some(&id)).into()),
            Beginning::Answer(answer) => Ok(json(status(&answer, !missing.is_empty()), answer.into_line())),
            Beginning::Message if method == "subscriptions/listen" => Ok(until(stream(reader), stopped)),
            Beginning::Message => Ok(stream(reader)),
        }
    }

    /// Answers a message that belongs to a session, or begins one.
    pub(super) async fn in_session(self) -> Answered {
        let Self { head, in_header, frame, parts } = self;
        let request = parts.filter(|_| matches!(frame.message(), Message::Request { .. }));
        match (head.session()?, request) {
            (Some(session), Some(request)) => {
                let reader = session.request(frame, request).await?;
                let is_primed = in_header.is_some_and(|revision| revision >= PRIMED);
                Ok(stream(if is_primed { reader.primed() } else { reader.resumable() }))
            }
            (Some(session), None) => {
                let sent = session.send(frame.clone()).await;
                if let Message::Notification { method: "notifications/cancelled", params } = frame.message() {
                    session.client.cancel(params);
                }
                sent?;
                Ok(empty(StatusCode::ACCEPTED))
            }
            (None, Some(request)) if request.method == "initialize" => begin(head, frame, request).await,
            (None, _) => Err(missing_session().into()),
        }
    }
}

/// Returns the members of `_meta` that every request needs and this one does not have.
fn missing_meta(parts: &RequestParts<'_>) -> Vec<&'static str> {
    let RequestParts { version, client, capabilities, .. } = parts;
    let is = |part: Option<&str>, begin| part.is_some_and(|part| part.starts_with(begin));
    let members = [(VERSION, is(*version, '"')), (CLIENT, is(*client, '{')), (CAPABILITIES, is(*capabilities, '{'))];
    members.into_iter().filter(|(_, is_present)| !is_present).map(|(name, _)| name).collect()
}

/// Returns the status that the protocol demands for an answer.
fn status(answer: &Frame, is_incomplete: bool) -> StatusCode {
    match error_code(answer) {
        Some(METHOD_NOT_FOUND) => StatusCode::NOT_FOUND,
        Some(code) if BAD_REQUESTS.contains(&code) => StatusCode::BAD_REQUEST,
        Some(code) if code == INVALID_PARAMS && is_incomplete => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    }
}

fn until(answer: HttpAnswer, stopped: watch::Receiver<bool>) -> HttpAnswer {
    answer.map(|body| BoxBody::new(BodyUntilStopped::new(body, stopped)))
}

/// A session whose server has not answered yet. It ends if the client disconnects.
struct Begun<'t> {
    table: &'t ConnectionTable,
    id: String,
    is_answered: bool,
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        if !self.is_answered {
            self.table.end(&self.id);
        }
    }
}

/// Begins a session.
async fn begin(Head { table, user, .. }: Head<'_>, frame: &Frame, parts: &RequestParts<'_>) -> Answered {
    let (id, session) = table.begin(user.cloned())?;
    let mut begun = Begun { table, id, is_answered: false };
    let text = "The server cannot be started.";
    let ended = || error_answer(StatusCode::BAD_GATEWAY, Some(&parts.id), INTERNAL, text);
    let mut reader = session.request(frame, parts).await.map_err(|_| ended())?;
    match reader.beginning().await {
        Beginning::Nothing => return Err(ended().into()),
        Beginning::Answer(answer) => match error_code(&answer) {
            None => {}
            // The server has no revision with sessions.
            Some(METHOD_NOT_FOUND) => return Ok(json(StatusCode::NOT_FOUND, answer.into_line())),
            Some(_) => return Ok(json(StatusCode::OK, answer.into_line())),
        },
        Beginning::Message => {}
    }
    begun.is_answered = true;
    let mut answer = stream(reader.resumable());
    if let Ok(value) = HeaderValue::from_str(&begun.id) {
        answer.headers_mut().insert(&SESSION, value);
    }
    Ok(answer)
}

impl Head<'_> {
    /// Answers the request for the messages of a server that belong to no request, or for the rest of a stream.
    pub(super) fn listen(self, stopped: watch::Receiver<bool>) -> Answered {
        let session = self.session()?.ok_or_else(missing_session)?;
        session.client.touch();
        let read = |stream, next| Reader::new(&session.client.streams, stream, next);
        let reader = match self.headers.get(LAST_EVENT).map(|last| last.to_str().ok().and_then(event)) {
            None => read(STANDALONE, None),
            Some(last) => last.and_then(|(stream, next)| read(stream, Some(next))),
        };
        // A client that resumes an unknown stream would try again after an error.
        Ok(reader.map_or_else(|| stream(Empty::new()), |reader| until(stream(reader.resumable()), stopped)))
    }

    /// Ends a session.
    pub(super) fn end(self) -> Answered {
        self.session()?.ok_or_else(missing_session)?;
        if let Some(id) = self.headers.get(&SESSION).and_then(|id| id.to_str().ok()) {
            self.table.end(id);
        }
        Ok(empty(StatusCode::NO_CONTENT))
    }

    /// Returns the session that a request names; `None` if it names none.
    fn session(self) -> Result<Option<Arc<Connection<HttpClient>>>, Box<HttpAnswer>> {
        let Some(id) = self.headers.get(&SESSION) else { return Ok(None) };
        let session = id.to_str().ok().and_then(|id| self.table.session(id, self.user));
        Ok(Some(session.ok_or_else(no_session)?))
    }
}

fn missing_session() -> HttpAnswer {
    reject(StatusCode::BAD_REQUEST, "The header Mcp-Session-Id is missing.")
}

/// Parses the id of an event: the number of its stream, and the number of events until it.
fn event(id: &str) -> Option<(u64, u64)> {
    let (stream, next) = id.split_once('-')?;
    Some((stream.parse().ok()?, next.parse().ok()?))
}
