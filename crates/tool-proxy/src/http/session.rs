//! A session of a client of a revision until 2025-11-25: [`Session`].
//!
//! Invariants: the answer to a request goes to the stream of that request, and so do reports of its progress. Other messages go to the
//! standalone stream if the client reads it, and otherwise to the newest open one. Open requests are bounded.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::RequestId;

use super::super::asked::refused_request;
use super::super::connection::ToClient;
use super::super::frame::{Frame, Message};
use super::super::open::{Refused, Table};
use super::super::parts::{Params, cancelled, key};
use super::super::settings::Settings;
use super::headers::RequestParts;
use super::peer::Peer;
use super::streams::{STANDALONE, Streams};
use super::usage::{IDLE, Usage};

/// The maximum number of open requests of a session.
const MOST_OPEN: usize = 100;

/// A session.
pub(super) struct Session {
    pub(super) owner: Option<String>,
    pub(super) streams: Arc<Streams>,
    pub(super) usage: Usage,
    open: Mutex<Open>,
    settings: Arc<Settings>,
}

#[derive(Default)]
struct Open {
    requests: Table<RequestId, Request>,
    /// The streams of the requests that want reports of their progress, by their tokens.
    tokens: Table<RequestId, u64>,
}

struct Request {
    stream: u64,
    token: Option<RequestId>,
}

impl Session {
    pub(super) fn new(owner: Option<String>, settings: Arc<Settings>) -> Self {
        Self { owner, streams: Arc::default(), usage: Usage::new(), open: Mutex::default(), settings }
    }

    /// Opens a request and returns its stream. On failure, returns the answer to the request.
    pub(super) fn open(&self, parts: &RequestParts<'_>) -> Result<u64, Frame> {
        let id = &parts.id;
        let mut open = self.opened();
        let refused = if open.requests.contains_key(id) {
            Some(Refused::Repeated)
        } else {
            (open.requests.len() >= MOST_OPEN).then_some(Refused::TooMany)
        };
        if let Some(refused) = refused {
            return Err(refused_request(id, &refused));
        }
        let stream = self.streams.add();
        let token = parts.meta.progress_token.and_then(key);
        if let Some(token) = &token {
            open.tokens.insert(token.clone(), stream);
        }
        open.requests.insert(id.clone(), Request { stream, token });
        Ok(stream)
    }

    /// Ends the stream of a request that the client has cancelled with these parameters.
    pub(super) fn cancel(&self, params: &str) {
        if let Some(request) = cancelled(params).and_then(|id| self.opened().take(&id)) {
            self.streams.end(request.stream);
        }
    }

    fn opened(&self) -> MutexGuard<'_, Open> {
        // No code under the lock can panic.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the stream for a message that belongs to no request.
    fn elsewhere(&self) -> u64 {
        let other = || self.streams.newest_read();
        if self.streams.is_read(STANDALONE) { STANDALONE } else { other().unwrap_or(STANDALONE) }
    }
}

impl Open {
    fn take(&mut self, id: &RequestId) -> Option<Request> {
        let request = self.requests.remove(id)?;
        if let Some(token) = &request.token
            && self.tokens.get(token) == Some(&request.stream)
        {
            self.tokens.remove(token);
        }
        Some(request)
    }
}

impl ToClient for Session {
    fn send(&self, frame: Frame) -> Option<Frame> {
        self.usage.touch();
        let has_lost = match frame.message() {
            Message::Response { id, .. } => {
                let request = self.opened().take(&id);
                // A request without a stream was cancelled.
                request.is_some_and(|request| self.streams.finish(request.stream, frame))
            }
            Message::Notification { method: "notifications/progress", params } => {
                let token = Params::of(params).progress_token.and_then(key);
                let stream = token.and_then(|token| self.opened().tokens.get(&token).copied());
                self.streams.push(stream.unwrap_or_else(|| self.elsewhere()), frame)
            }
            _ => self.streams.push(self.elsewhere(), frame),
        };
        if has_lost {
            (self.settings.log)("messages of the server were dropped, because the client does not read them");
        }
        None
    }

    async fn room(&self) {
        self.streams.room().await;
    }
}

impl Peer for Session {
    fn streams(&self) -> &Arc<Streams> {
        &self.streams
    }

    fn usage(&self) -> &Usage {
        &self.usage
    }

    async fn over(&self) {
        self.usage.over(IDLE, || self.streams.has_readers()).await;
    }
}
