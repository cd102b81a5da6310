//! The requests of clients of revisions until 2025-11-25, each of which belongs to a session.

use std::sync::Arc;

use http_body_util::combinators::BoxBody;
use hyper::StatusCode;
use hyper::header::{HeaderMap, HeaderValue};
use tokio::sync::watch;

use super::super::asked::INTERNAL;
use super::super::connection::Connection;
use super::super::frame::{Frame, Message};
use super::answers::{METHOD_NOT_FOUND, accepted, ended, error_answer, error_code, no_events, stream};
use super::headers::RequestParts;
use super::reader::{Beginning, Reader};
use super::session::Session;
use super::streams::STANDALONE;
use super::table::{Table, Unavailable};
use tool_mcp::__private_0_1_0::http::{HttpAnswer, SESSION, Until, json, refuse, too_many_sessions};

/// The header with the last event that a client has got.
const LAST_EVENT: &str = "last-event-id";

/// The first revision whose clients understand an event without a message.
const PRIMED: &str = "2025-11-25";

/// Answers a message of a client.
pub(super) async fn post(
    table: &Arc<Table>,
    user: Option<&String>,
    (headers, revision): (&HeaderMap, Option<&str>),
    (frame, parts): (&Frame, Option<&RequestParts<'_>>),
) -> HttpAnswer {
    let session = match find(table, user, headers) {
        Ok(session) => session,
        Err(refusal) => return *refusal,
    };
    let request = parts.filter(|_| matches!(frame.message(), Message::Request { .. }));
    match (session, request) {
        (Some(session), Some(request)) => match ask(&session, frame, request).await {
            Ok(reader) => {
                let is_primed = revision.is_some_and(|revision| revision >= PRIMED);
                stream(if is_primed { reader.primed() } else { reader.resumable() })
            }
            Err(refusal) => refusal,
        },
        (Some(session), None) => {
            let sent = session.send(frame.clone()).await;
            if let Message::Notification { method: "notifications/cancelled", params } = frame.message() {
                session.client.cancel(params);
            }
            sent.map_or_else(|_| unknown(), |()| accepted())
        }
        (None, Some(request)) if request.method == "initialize" => begin(table, user, frame, request).await,
        (None, _) => refuse(StatusCode::BAD_REQUEST, "The header Mcp-Session-Id is missing."),
    }
}

/// Sends a request to the server of a session.
async fn ask(session: &Connection<Session>, frame: &Frame, parts: &RequestParts<'_>) -> Result<Reader, HttpAnswer> {
    // Nothing is awaited between opening and sending the request, so an open request always gets an answer.
    session.ready().await.map_err(|_| unknown())?;
    let client = &session.client;
    let number = client.open(parts).map_err(|refused| json(StatusCode::OK, refused.into_line()))?;
    let reader = Reader::new(&client.streams, number, None).ok_or_else(unknown)?;
    session.send_now(frame.clone());
    Ok(reader)
}

/// A session whose server has not answered yet. It ends if the client disconnects.
struct Begun<'t> {
    table: &'t Table,
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
async fn begin(table: &Arc<Table>, user: Option<&String>, frame: &Frame, parts: &RequestParts<'_>) -> HttpAnswer {
    let (id, session) = match table.begin(user.cloned()) {
        Ok(begun) => begun,
        Err(Unavailable::TooMany) => return too_many_sessions(),
        Err(Unavailable::Failed) => {
            return refuse(StatusCode::INTERNAL_SERVER_ERROR, "A session cannot begin.");
        }
    };
    let mut begun = Begun { table, id, is_answered: false };
    let ended = || error_answer(StatusCode::BAD_GATEWAY, Some(&parts.id), INTERNAL, "The server cannot be started.");
    let Ok(mut reader) = ask(&session, frame, parts).await else { return ended() };
    match reader.beginning().await {
        Beginning::Nothing => return ended(),
        Beginning::Answer(answer) => match error_code(&answer) {
            None => {}
            // The server has no revision with sessions.
            Some(METHOD_NOT_FOUND) => return json(StatusCode::NOT_FOUND, answer.into_line()),
            Some(_) => return json(StatusCode::OK, answer.into_line()),
        },
        Beginning::Message => {}
    }
    begun.is_answered = true;
    let mut answer = stream(reader.resumable());
    if let Ok(value) = HeaderValue::from_str(&begun.id) {
        answer.headers_mut().insert(SESSION, value);
    }
    answer
}

/// Answers the request for the messages of a server that belong to no request, or for the rest of a stream.
pub(super) fn listen(
    table: &Table,
    user: Option<&String>,
    headers: &HeaderMap,
    stopped: watch::Receiver<bool>,
) -> HttpAnswer {
    let session = match required(table, user, headers) {
        Ok(session) => session,
        Err(refusal) => return *refusal,
    };
    session.client.usage.touch();
    let last = headers.get(LAST_EVENT).map(|last| last.to_str().ok().and_then(event));
    let reader = match last {
        None => Reader::new(&session.client.streams, STANDALONE, None),
        Some(last) => last.and_then(|(number, next)| Reader::new(&session.client.streams, number, Some(next))),
    };
    // A client that resumes an unknown stream would try again after an error.
    let Some(reader) = reader else { return no_events() };
    stream(reader.resumable()).map(|body| BoxBody::new(Until::new(body, stopped)))
}

/// Ends a session.
pub(super) fn end(table: &Table, user: Option<&String>, headers: &HeaderMap) -> HttpAnswer {
    match required(table, user, headers) {
        Ok(_) => {
            if let Some(id) = headers.get(SESSION).and_then(|id| id.to_str().ok()) {
                table.end(id);
            }
            ended()
        }
        Err(refusal) => *refusal,
    }
}

/// Returns the session that a request names; `None` if it names none.
fn find(
    table: &Table,
    user: Option<&String>,
    headers: &HeaderMap,
) -> Result<Option<Arc<Connection<Session>>>, Box<HttpAnswer>> {
    let Some(id) = headers.get(SESSION) else { return Ok(None) };
    let session = id.to_str().ok().and_then(|id| table.session(id, user));
    session.map(Some).ok_or_else(|| Box::new(unknown()))
}

fn required(
    table: &Table,
    user: Option<&String>,
    headers: &HeaderMap,
) -> Result<Arc<Connection<Session>>, Box<HttpAnswer>> {
    let missing = || Box::new(refuse(StatusCode::BAD_REQUEST, "The header Mcp-Session-Id is missing."));
    find(table, user, headers)?.ok_or_else(missing)
}

fn unknown() -> HttpAnswer {
    refuse(StatusCode::NOT_FOUND, "There is no such session.")
}

/// Parses the id of an event: the number of its stream, and the number of events until it.
fn event(id: &str) -> Option<(u64, u64)> {
    let (stream, next) = id.split_once('-')?;
    Some((stream.parse().ok()?, next.parse().ok()?))
}
