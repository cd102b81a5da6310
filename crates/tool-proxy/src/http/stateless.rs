//! The connection for the requests of a user in revision 2026-07-28, which has no sessions: [`Stateless`].
//!
//! Clients choose ids and progress tokens without knowing each other, so both are replaced by the number of the request's stream, and put back in
//! everything that belongs to the request. Invariant: a request whose client has disconnected is cancelled.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::model::RequestId;
use serde_json::value::RawValue;

use super::super::asked::refused_request;
use super::super::call::{Call, cancellation, error, list_request};
use super::super::message::{Answer, Message, Splice, replaced};
use super::super::open::Refused;
use super::parts::{Parts, key, meta_of};
use super::peer::{Gone, Peer, Receiver};
use super::reader::{Beginning, Reader};
use super::streams::Streams;
use super::tools::Tools;
use super::usage::{IDLE_WITHOUT_SESSION, Usage};

/// The maximum number of open requests of a user.
const MOST_OPEN: usize = 1_000;
/// The maximum number of pages of a list.
const MOST_PAGES: usize = 100;

/// The time that the guard has in addition for a list.
const GRACE: Duration = Duration::from_secs(2);

const METHOD_NOT_FOUND: i32 = -32_601;

/// The connection of a user.
pub(super) struct Stateless {
    peer: Peer,
    streams: Arc<Streams>,
    usage: Usage,
    open: Mutex<HashMap<u64, Open>>,
    tools: Mutex<Tools>,
    /// Held by the request that lists the tools.
    listing: tokio::sync::Mutex<()>,
    /// The time for which a call waits for the list. The guard, which answers after its own limit, comes first.
    list_patience: Duration,
}

/// An open request.
struct Open {
    /// The client's id as JSON text.
    id: String,
    /// The client's token for reports of progress as JSON text.
    token: Option<String>,
    wants_log: bool,
    is_list: bool,
}

/// An open request, which is cancelled if it is dropped before its answer was sent.
pub(super) struct Running {
    connection: Arc<Stateless>,
    pub(super) stream: u64,
}

/// The reason why a request cannot be sent.
pub(super) enum Unsent {
    Gone,
    /// The answer to the request.
    Refused(String),
}

impl From<Gone> for Unsent {
    fn from(Gone: Gone) -> Self {
        Self::Gone
    }
}

impl Stateless {
    pub(super) fn new(peer: Peer, list_time_limit: Duration) -> Self {
        Self {
            peer,
            streams: Arc::default(),
            usage: Usage::new(),
            open: Mutex::default(),
            tools: Mutex::default(),
            listing: tokio::sync::Mutex::default(),
            list_patience: list_time_limit + GRACE,
        }
    }

    pub(super) fn stop(&self) {
        self.peer.stop();
    }

    /// Sends a request. Returns it with the reader of its stream.
    pub(super) async fn request(self: &Arc<Self>, line: &str, id: &RequestId) -> Result<(Running, Reader), Unsent> {
        self.usage.touch();
        let parts = Parts::of(line);
        let (running, reader, line) = {
            let mut open = self.open();
            if open.len() >= MOST_OPEN {
                return Err(Unsent::Refused(refused_request(id, &Refused::TooMany)));
            }
            let stream = self.streams.add();
            let reader = Reader::new(&self.streams, stream, None).ok_or(Unsent::Gone)?;
            let token = parts.meta.progress_token.map(RawValue::get);
            let own: Vec<_> = parts.id.into_iter().chain(token).collect();
            let own = own.into_iter().map(|part| Splice { part, text: stream.to_string().into() }).collect();
            open.insert(
                stream,
                Open {
                    id: parts.id.unwrap_or("null").to_owned(),
                    token: token.map(str::to_owned),
                    wants_log: parts.meta.log_level.is_some(),
                    is_list: parts.method.as_deref() == Some("tools/list"),
                },
            );
            (Running { connection: Arc::clone(self), stream }, reader, replaced(line, own))
        };
        self.peer.send(line).await?;
        Ok((running, reader))
    }

    /// Sends a notification.
    pub(super) async fn notify(&self, line: String) -> Result<(), Gone> {
        self.usage.touch();
        self.peer.send(line).await
    }

    /// Returns what is known about the headers of a tool. The tools are listed if the tool of a call is not known. An error or a list that takes too
    /// long counts as an empty list, as in the guard.
    pub(super) async fn headers_of(self: &Arc<Self>, call: &Call<'_>) -> Vec<(Vec<String>, String)> {
        if self.tools().is_unknown(&call.name) {
            let _turn = self.listing.lock().await;
            if self.tools().is_unknown(&call.name) {
                let _ = tokio::time::timeout(self.list_patience, self.list(&call.protocol())).await;
                self.tools().is_listed = true;
            }
        }
        self.tools().headers_of(&call.name)
    }

    async fn list(self: &Arc<Self>, protocol: &[(String, String)]) {
        let mut cursor: Option<String> = None;
        for _ in 0..MOST_PAGES {
            let id = RequestId::Number(0);
            let line = list_request(&id, cursor.as_deref(), protocol);
            let Ok((_running, mut reader)) = self.request(&line, &id).await else { return };
            let Beginning::Answer(answer) = reader.beginning().await else { return };
            let Ok(Message::Response { answer: Answer::Result(result), .. }) = Message::of(&answer) else { return };
            cursor = super::tools::cursor_of(result);
            if cursor.is_none() {
                return;
            }
        }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<u64, Open>> {
        // No code under the lock can panic.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tools(&self) -> MutexGuard<'_, Tools> {
        self.tools.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Passes on the answer to a request.
    fn answer(&self, id: &RequestId, line: &str, answer: Answer<'_>) {
        let Some(stream) = number(id) else { return };
        let Some(open) = self.open().remove(&stream) else { return };
        let mut splices = vec![];
        if let Some(part) = Parts::of(line).id {
            splices.push(Splice { part, text: open.id.clone().into() });
        }
        if let Answer::Result(result) = answer {
            if open.is_list {
                self.tools().learn(result);
            }
            if let Some(part) = meta_of(result).subscription.filter(|part| key(part).as_ref() == Some(id)) {
                splices.push(Splice { part: part.get(), text: open.id.into() });
            }
        }
        self.streams.finish(stream, &replaced(line, splices));
    }

    /// Passes on a notification, if the request that it belongs to is known. Clients of this revision get no others.
    fn notification(&self, line: &str, method: &str) {
        let parts = Parts::of(line);
        let numbered = |part: Option<_>| part.and_then(key).as_ref().and_then(number);
        let open = self.open();
        let (stream, splices) = if let Some(stream) = numbered(parts.params.progress_token) {
            let token = open.get(&stream).and_then(|open| open.token.clone());
            let part = parts.params.progress_token;
            (stream, part.zip(token).map(|(part, token)| Splice { part: part.get(), text: token.into() }))
        } else if let Some(stream) = numbered(parts.meta.subscription) {
            let id = open.get(&stream).map(|open| open.id.clone());
            let part = parts.meta.subscription;
            (stream, part.zip(id).map(|(part, id)| Splice { part: part.get(), text: id.into() }))
        } else if method == "notifications/message" {
            let wanting = open.iter().filter(|(_, open)| open.wants_log).map(|(stream, _)| *stream).max();
            let Some(stream) = wanting else { return };
            (stream, None)
        } else {
            return;
        };
        drop(open);
        self.streams.push(stream, &replaced(line, splices.into_iter().collect()));
    }
}

/// Returns the number of a stream.
fn number(id: &RequestId) -> Option<u64> {
    match id {
        RequestId::Number(number) => u64::try_from(*number).ok(),
        RequestId::String(_) => None,
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.connection.open().remove(&self.stream).is_some() {
            let id = RequestId::Number(i64::try_from(self.stream).unwrap_or_default());
            self.connection.peer.send_later(cancellation(&id, "The client has disconnected."));
        }
        self.connection.streams.remove(self.stream);
    }
}

impl Receiver for Stateless {
    fn receive(&self, line: &str) -> Option<String> {
        self.usage.touch();
        match Message::of(line) {
            Ok(Message::Response { id, answer }) => self.answer(&id, line, answer),
            Ok(Message::Notification { method, .. }) => self.notification(line, &method),
            Ok(Message::Request { id, .. }) => {
                return Some(error(&id, METHOD_NOT_FOUND, "The client cannot be asked in this revision."));
            }
            Ok(Message::Error) | Err(_) => {}
        }
        None
    }

    fn streams(&self) -> &Streams {
        &self.streams
    }

    async fn idle(&self) {
        self.usage.idle(IDLE_WITHOUT_SESSION, || self.streams.has_readers()).await;
    }
}
