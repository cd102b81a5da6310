//! The requests of a user in revision 2026-07-28, which has no sessions: [`Stateless`].
//!
//! Clients choose ids and progress tokens without knowing each other, so both are replaced by the number of the request's stream, and put back in
//! everything that belongs to the request. Invariant: a request whose client has disconnected is cancelled.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::model::RequestId;
use serde_json::value::RawValue;

use super::super::asked::refused_request;
use super::super::call::Call;
use super::super::connection::{Connection, ToClient};
use super::super::frame::{Answer, Frame, Message, Splice};
use super::super::open::{Refused, Table};
use super::super::parts::{Params, key, meta_of};
use super::super::writing::{cancellation, error, list_request};
use super::headers::RequestParts;
use super::peer::{Gone, Peer};
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

/// The client of the connection of a user.
pub(super) struct Stateless {
    streams: Arc<Streams>,
    usage: Usage,
    open: Mutex<Table<u64, Open>>,
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
    connection: Arc<Connection<Stateless>>,
    stream: u64,
}

/// The reason why a request cannot be sent.
pub(super) enum Unsent {
    Gone,
    /// The answer to the request.
    Refused(Frame),
}

impl From<Gone> for Unsent {
    fn from(Gone: Gone) -> Self {
        Self::Gone
    }
}

impl Connection<Stateless> {
    /// Sends a request. Returns it with the reader of its stream.
    pub(super) async fn request(
        self: &Arc<Self>,
        frame: &Frame,
        parts: &RequestParts<'_>,
    ) -> Result<(Running, Reader), Unsent> {
        self.ready().await?;
        let client = &self.client;
        let (running, reader, frame) = {
            let mut open = client.open();
            if open.len() >= MOST_OPEN {
                return Err(Unsent::Refused(refused_request(&parts.id, &Refused::TooMany)));
            }
            let stream = client.streams.add();
            let reader = Reader::new(&client.streams, stream, None).ok_or(Unsent::Gone)?;
            let token = parts.meta.progress_token.map(RawValue::get);
            let own = [Some(frame.id_text()), token].into_iter().flatten();
            let own = own.map(|part| Splice { part, text: stream.to_string().into() }).collect();
            open.insert(
                stream,
                Open {
                    id: frame.id_text().to_owned(),
                    token: token.map(str::to_owned),
                    wants_log: parts.meta.log_level.is_some(),
                    is_list: parts.method == "tools/list",
                },
            );
            (Running { connection: Arc::clone(self), stream }, reader, frame.with(own))
        };
        self.send_now(frame);
        Ok((running, reader))
    }

    /// Returns what is known about the headers of a tool. The tools are listed if the tool of a call is not known. An error or a list that takes too
    /// long counts as an empty list, as in the guard.
    pub(super) async fn headers_of(self: &Arc<Self>, call: &Call<'_>) -> Vec<(Vec<String>, String)> {
        let client = &self.client;
        if client.tools().is_unknown(&call.name) {
            let _turn = client.listing.lock().await;
            if client.tools().is_unknown(&call.name) {
                let _ = tokio::time::timeout(client.list_patience, self.list(&call.protocol())).await;
                client.tools().is_listed = true;
            }
        }
        client.tools().headers_of(&call.name)
    }

    async fn list(self: &Arc<Self>, protocol: &[(String, String)]) {
        let mut cursor: Option<String> = None;
        for _ in 0..MOST_PAGES {
            let request = list_request(&RequestId::Number(0), cursor.as_deref(), protocol);
            let Some(parts) = RequestParts::of(&request) else { return };
            let Ok((_running, mut reader)) = self.request(&request, &parts).await else { return };
            let Beginning::Answer(answer) = reader.beginning().await else { return };
            let Message::Response { answer: Answer::Result(result), .. } = answer.message() else { return };
            cursor = super::tools::cursor_of(result);
            if cursor.is_none() {
                return;
            }
        }
    }
}

impl Stateless {
    pub(super) fn new(list_time_limit: Duration) -> Self {
        Self {
            streams: Arc::default(),
            usage: Usage::new(),
            open: Mutex::default(),
            tools: Mutex::default(),
            listing: tokio::sync::Mutex::default(),
            list_patience: list_time_limit + GRACE,
        }
    }

    fn open(&self) -> MutexGuard<'_, Table<u64, Open>> {
        // No code under the lock can panic.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tools(&self) -> MutexGuard<'_, Tools> {
        self.tools.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Passes on the answer to a request.
    fn answer(&self, id: &RequestId, frame: &Frame, answer: Answer<'_>) {
        let Some(stream) = number(id) else { return };
        let Some(open) = self.open().remove(&stream) else { return };
        let mut splices = vec![Splice { part: frame.id_text(), text: open.id.as_str().into() }];
        if let Answer::Result(result) = answer {
            if open.is_list {
                self.tools().learn(result);
            }
            if let Some(part) = meta_of(result).subscription.filter(|part| key(part).as_ref() == Some(id)) {
                splices.push(Splice { part: part.get(), text: open.id.as_str().into() });
            }
        }
        self.streams.finish(stream, frame.with(splices));
    }

    /// Passes on a notification, if the request that it belongs to is known. Clients of this revision get no others.
    fn notification(&self, frame: &Frame, method: &str, params: &str) {
        let params = Params::of(params);
        let (token, subscription) = (params.progress_token, params.meta().subscription);
        let numbered = |part: Option<_>| part.and_then(key).as_ref().and_then(number);
        let open = self.open();
        let (stream, splice) = if let Some(stream) = numbered(token) {
            let own = open.get(&stream).and_then(|open| open.token.clone());
            (stream, token.zip(own))
        } else if let Some(stream) = numbered(subscription) {
            let own = open.get(&stream).map(|open| open.id.clone());
            (stream, subscription.zip(own))
        } else if method == "notifications/message" {
            let wanting = open.iter().filter(|(_, open)| open.wants_log).map(|(stream, _)| *stream).max();
            let Some(stream) = wanting else { return };
            (stream, None)
        } else {
            return;
        };
        drop(open);
        let frame = splice.map_or_else(|| frame.clone(), |(part, own)| frame.with_part(part.get(), &own));
        self.streams.push(stream, frame);
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
        let client = &self.connection.client;
        let is_open = client.open().remove(&self.stream).is_some();
        if is_open {
            let id = RequestId::Number(i64::try_from(self.stream).unwrap_or_default());
            self.connection.send_now(cancellation(&id, "The client has disconnected."));
        }
        client.streams.remove(self.stream);
    }
}

impl ToClient for Stateless {
    fn send(&self, frame: Frame) -> Option<Frame> {
        self.usage.touch();
        match frame.message() {
            Message::Response { id, answer } => self.answer(&id, &frame, answer),
            Message::Notification { method, params } => self.notification(&frame, method, params),
            Message::Request { id, .. } => {
                return Some(error(&id, METHOD_NOT_FOUND, "The client cannot be asked in this revision."));
            }
            Message::Error => {}
        }
        None
    }

    async fn room(&self) {
        self.streams.room().await;
    }
}

impl Peer for Stateless {
    fn streams(&self) -> &Arc<Streams> {
        &self.streams
    }

    fn usage(&self) -> &Usage {
        &self.usage
    }

    async fn over(&self) {
        self.usage.over(IDLE_WITHOUT_SESSION, || self.streams.has_readers()).await;
    }
}
