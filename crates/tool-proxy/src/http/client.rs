//! A client over HTTP, [`HttpClient`], with a session or without, and its requests.
//!
//! With a session, in protocol versions until 2025-11-25, the answer to a request goes to the stream of that request, and so do reports of its progress.
//! Other messages go to the standalone stream if the client reads it, and otherwise to the newest open one. In protocol version 2026-07-28, which has no
//! sessions, all requests of a user share a connection. Clients choose ids and progress tokens without knowing each other, so both are replaced by
//! the number of the request's stream, and put back in everything that belongs to the request.
//!
//! Invariants: open requests are bounded; a request without a session whose client has disconnected is cancelled.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use hyper::StatusCode;
use rmcp::model::RequestId;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use crate::action::Received;
use crate::call::protocol_of;
use crate::connection::{Connection, ToClient};
use crate::frame::{Answer, Frame, Message, Splice};
use crate::http::request_parts::{RequestParts, gone, no_session};
use crate::http::streams::{Reader, Streams};
use crate::mcp_headers::ArgumentHeader;
use crate::members::{Replaced, SUBSCRIPTION, cancelled, key, member, meta, pick};
use crate::own_messages::{METHOD_NOT_FOUND, cancellation, error};
use crate::request_table::{Rejected, Table};
use crate::settings::Settings;
use crate::sync::locked;
use tool_mcp::__private_0_1_0::http::{HttpAnswer, json};

/// The maximum number of open requests of a session, and of a user without one.
const MOST_OPEN: usize = 100;
const MOST_OPEN_OF_USER: usize = 1_000;

/// The time after which an unused session ends.
const IDLE: Duration = Duration::from_secs(300);
/// The time after which the server for requests without sessions ends, if there are none.
const IDLE_WITHOUT_SESSION: Duration = Duration::from_secs(3_600);

/// A client over HTTP.
pub(crate) struct HttpClient {
    pub(super) has_session: bool,
    /// The user who began the session.
    pub(super) owner: Option<String>,
    pub(super) streams: Arc<Streams>,
    /// The time of the last message.
    last: Mutex<Instant>,
    /// Notified to end the connection.
    stopping: Notify,
    open: Mutex<OpenRequests>,
    settings: Arc<Settings>,
}

/// The open requests, by the ids and the progress tokens that the server gets.
#[derive(Default)]
struct OpenRequests {
    requests: Table<RequestId, Open>,
    tokens: Table<RequestId, RequestId>,
}

struct Open {
    stream: u64,
    token: Option<RequestId>,
    /// `None` with a session.
    replaced: Option<Replaced>,
    /// `true` without a session, if the client wants the messages for its log.
    wants_log: bool,
}

/// An open request without a session, which is cancelled if it is dropped before its answer was sent.
struct Running {
    connection: Arc<Connection<HttpClient>>,
    stream: u64,
}

impl Connection<HttpClient> {
    /// Sends a message of the client. Fails with an answer if the servers have ended.
    pub(super) async fn send(&self, frame: Frame) -> Result<(), Box<HttpAnswer>> {
        self.ready(None).await?;
        self.send_now(frame);
        Ok(())
    }

    /// Waits until a message of the client can be sent. Fails with an answer if the servers have ended.
    async fn ready(&self, id: Option<&RequestId>) -> Result<(), Box<HttpAnswer>> {
        self.client.touch();
        self.room().await;
        if !self.client.streams.has_ended() {
            return Ok(());
        }
        Err(if self.client.has_session { no_session() } else { gone(id) }.into())
    }

    fn send_now(&self, frame: Frame) {
        self.act(|layers| layers.client(Received::Frame(frame)));
    }

    /// Sends a request. Returns the reader of its stream, with which a request without a session ends.
    pub(super) async fn request(
        self: &Arc<Self>,
        frame: &Frame,
        parts: &RequestParts<'_>,
    ) -> Result<Reader, Box<HttpAnswer>> {
        self.ready(Some(&parts.id)).await?;
        // Nothing is awaited between opening and sending the request, so an open request always gets an answer.
        let (reader, frame) = self.client.open(frame, parts)?;
        self.send_now(frame);
        if self.client.has_session {
            return Ok(reader);
        }
        let running = Running { connection: Arc::clone(self), stream: reader.stream };
        Ok(reader.with(running))
    }

    /// Returns the arguments that the headers of a call repeat, given the name of its tool and its parameters. The tools are listed if the tool of the call
    /// is not known. An error or a list that takes too long counts as an empty list.
    pub(super) async fn argument_headers(&self, name: &str, params: &str) -> Vec<ArgumentHeader> {
        let known = || locked(&self.layers).guard.checker.server_tools.argument_headers(name);
        if let Some(headers) = known() {
            return headers;
        }
        self.act(|layers| {
            if !layers.guard.has_list() {
                layers.request_list(protocol_of(member(params, "_meta")));
            }
        });
        loop {
            let acted = self.acted.notified();
            if !locked(&self.layers).guard.list.is_awaited() || self.client.streams.has_ended() {
                return known().unwrap_or_default();
            }
            acted.await;
        }
    }
}

impl HttpClient {
    pub(super) fn new(has_session: bool, owner: Option<String>, settings: Arc<Settings>) -> Self {
        Self {
            has_session,
            owner,
            streams: Arc::default(),
            last: Mutex::new(Instant::now()),
            stopping: Notify::new(),
            open: Mutex::default(),
            settings,
        }
    }

    /// Opens a request. Returns the reader of its stream, and the frame for the server.
    fn open(&self, frame: &Frame, parts: &RequestParts<'_>) -> Result<(Reader, Frame), Box<HttpAnswer>> {
        let mut open = locked(&self.open);
        let most = if self.has_session { MOST_OPEN } else { MOST_OPEN_OF_USER };
        let rejected = if self.has_session && open.requests.contains_key(&parts.id) {
            Some(Rejected::Repeated)
        } else {
            (open.requests.len() >= most).then_some(Rejected::TooMany)
        };
        if let Some(rejected) = rejected {
            return Err(json(StatusCode::OK, rejected.answer(&parts.id).into_line()).into());
        }
        let stream = self.streams.add();
        let reader = Reader::new(&self.streams, stream, None).ok_or_else(|| gone(Some(&parts.id)))?;
        let wants_log = parts.has_log_level && !self.has_session;
        let (id, token, replaced, frame) = if self.has_session {
            (parts.id.clone(), parts.progress_token.and_then(key), None, frame.clone())
        } else {
            let (frame, replaced) = Replaced::by(stream, frame, parts.progress_token);
            let id = id_of(stream);
            (id.clone(), replaced.token.is_some().then_some(id), Some(replaced), frame)
        };
        if let Some(token) = &token {
            open.tokens.insert(token.clone(), id.clone());
        }
        open.requests.insert(id, Open { stream, token, replaced, wants_log });
        Ok((reader, frame))
    }

    /// Ends the stream of a request that the client of a session has cancelled with these parameters.
    pub(super) fn cancel(&self, params: &str) {
        if let Some(request) = cancelled(params).and_then(|id| locked(&self.open).take(&id)) {
            self.streams.end(request.stream);
        }
    }

    /// Writes to the log that messages were dropped. There is nothing to answer.
    fn report_lost(&self, has_lost: bool) -> Option<Frame> {
        if has_lost {
            (self.settings.log)("messages of the server were dropped, because the client does not read them");
        }
        None
    }

    /// Notes a message.
    pub(super) fn touch(&self) {
        *locked(&self.last) = Instant::now();
    }

    /// Lets the connection end.
    pub(super) fn stop(&self) {
        self.stopping.notify_one();
    }

    /// Waits until the connection is to end, or until there was no message for some time and nobody reads a stream.
    pub(super) async fn over(&self) {
        let limit = if self.has_session { IDLE } else { IDLE_WITHOUT_SESSION };
        loop {
            let last = *locked(&self.last);
            tokio::select! {
                () = self.stopping.notified() => return,
                () = sleep_until(last + limit) => {}
            }
            if self.streams.has_readers() {
                self.touch();
            } else if *locked(&self.last) == last {
                return;
            }
        }
    }
}

fn id_of(stream: u64) -> RequestId {
    RequestId::Number(i64::try_from(stream).unwrap_or_default())
}

impl OpenRequests {
    fn take(&mut self, id: &RequestId) -> Option<Open> {
        let request = self.requests.remove(id)?;
        if let Some(token) = &request.token
            && self.tokens.get(token) == Some(id)
        {
            self.tokens.remove(token);
        }
        Some(request)
    }

    /// Returns the stream of the request that a notification belongs to, and the notification as the client knows it.
    fn belonging(&self, frame: &Frame, method: &str, params: &str) -> Option<(u64, Frame)> {
        let [token, own_meta] = pick(params, ["progressToken", "_meta"]);
        let (part, request, replaced) = if let Some(token) = token {
            let request = self.requests.get(self.tokens.get(&key(token)?)?)?;
            (token, request, request.replaced.as_ref().and_then(|replaced| replaced.token.as_ref()))
        } else if let Some(subscription) = own_meta.and_then(|own_meta| member(own_meta, SUBSCRIPTION)) {
            let request = self.requests.get(&key(subscription)?)?;
            (subscription, request, request.replaced.as_ref().map(|replaced| &replaced.id))
        } else {
            let wanting =
                self.requests.values().filter(|request| request.wants_log).map(|request| request.stream).max();
            return Some((wanting.filter(|_| method == "notifications/message")?, frame.clone()));
        };
        Some((request.stream, replaced.map_or_else(|| frame.clone(), |own| frame.with_part(part, own))))
    }
}

/// Returns an answer as the client knows it. `id` is the one that the server knows.
fn restored(replaced: &Replaced, id: &RequestId, frame: &Frame, answer: Answer<'_>) -> Frame {
    let splice = |part| Splice { part, text: replaced.id.as_str().into() };
    let subscription = match answer {
        Answer::Result(result) => meta(result, SUBSCRIPTION).filter(|part| key(part).as_ref() == Some(id)),
        Answer::Error(_) => None,
    };
    match subscription {
        Some(subscription) => frame.with(&[splice(frame.id_text()), splice(subscription)]),
        None => frame.with(&[splice(frame.id_text())]),
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let (client, id) = (&self.connection.client, id_of(self.stream));
        let is_open = locked(&client.open).take(&id).is_some();
        if is_open {
            self.connection.send_now(cancellation(&id, "The client has disconnected."));
        }
        client.streams.remove(self.stream);
    }
}

impl ToClient for HttpClient {
    fn send(&self, frame: Frame) -> Option<Frame> {
        self.touch();
        let (stream, frame) = match frame.message() {
            Message::Response { id, answer } => {
                // A request that is not open was cancelled.
                let request = locked(&self.open).take(&id)?;
                let restored = request.replaced.map(|replaced| restored(&replaced, &id, &frame, answer));
                return self.report_lost(self.streams.finish(request.stream, restored.unwrap_or(frame)));
            }
            Message::Request { id, .. } if !self.has_session => {
                return Some(error(&id, METHOD_NOT_FOUND, "The client cannot be asked in this protocol version."));
            }
            Message::Notification { method, params } => {
                let belonging = locked(&self.open).belonging(&frame, method, params);
                // Clients without a session get no other notifications.
                belonging.or_else(|| self.has_session.then(|| (self.streams.elsewhere(), frame.clone())))?
            }
            _ if self.has_session => (self.streams.elsewhere(), frame.clone()),
            _ => return None,
        };
        self.report_lost(self.streams.push(stream, frame))
    }

    async fn room(&self) {
        self.streams.room().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::ProxyBuilder;
    use crate::http::streams::STANDALONE;

    #[tokio::test(start_paused = true)]
    async fn a_connection_is_idle_after_some_time_without_messages_and_readers() {
        let (client, begun) = (HttpClient::new(true, None, Arc::new(ProxyBuilder::new().0)), Instant::now());
        let reader = Reader::new(&client.streams, STANDALONE, None);
        let messages = async {
            tokio::time::sleep(IDLE / 2).await;
            client.touch();
            tokio::time::sleep(IDLE * 2).await;
            drop(reader);
        };
        tokio::join!(client.over(), messages);
        // Twice, somebody was reading when the time had passed.
        assert_eq!(begun.elapsed(), IDLE * 3);
    }
}
