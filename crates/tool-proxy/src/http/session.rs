//! A session of a client of a revision until 2025-11-25: [`Session`].
//!
//! Invariants: the answer to a request goes to the stream of that request, and so do reports of its progress. Other messages go to the
//! standalone stream if the client reads it, and otherwise to the newest open one. Open requests are bounded.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::RequestId;

use super::super::asked::refused_request;
use super::super::message::Message;
use super::super::open::Refused;
use super::parts::{Parts, key};
use super::peer::{Gone, Peer, Receiver};
use super::streams::{STANDALONE, Streams};
use super::usage::{IDLE, Usage};

/// The maximum number of open requests of a session.
const MOST_OPEN: usize = 100;

/// A session.
pub(super) struct Session {
    pub(super) owner: Option<String>,
    pub(super) peer: Peer,
    pub(super) streams: Arc<Streams>,
    pub(super) usage: Usage,
    open: Mutex<Open>,
    log: Box<dyn Fn(&str) + Send + Sync>,
}

#[derive(Default)]
struct Open {
    requests: HashMap<RequestId, Request>,
    /// The streams of the requests that want reports of their progress, by their tokens.
    tokens: HashMap<RequestId, u64>,
}

struct Request {
    stream: u64,
    token: Option<RequestId>,
}

impl Session {
    pub(super) fn new(owner: Option<String>, peer: Peer, log: Box<dyn Fn(&str) + Send + Sync>) -> Self {
        let (streams, usage) = (Arc::default(), Usage::new());
        Self { owner, peer, streams, usage, open: Mutex::default(), log }
    }

    /// Opens a request and returns its stream. On failure, returns the answer to the request.
    pub(super) fn open(&self, id: &RequestId, parts: &Parts<'_>) -> Result<u64, String> {
        self.usage.touch();
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

    /// Sends a message of the client. The stream of a request that it cancels ends.
    pub(super) async fn send(&self, line: String) -> Result<(), Gone> {
        self.usage.touch();
        let parts = Parts::of(&line);
        let is_cancelled = parts.method.as_deref() == Some("notifications/cancelled");
        let cancelled = parts.params.request_id.filter(|_| is_cancelled).and_then(key);
        self.peer.send(line).await?;
        if let Some(request) = cancelled.and_then(|id| self.opened().take(&id)) {
            self.streams.end(request.stream);
        }
        Ok(())
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

impl Receiver for Session {
    fn receive(&self, line: &str) -> Option<String> {
        self.usage.touch();
        let has_lost = match Message::of(line) {
            Ok(Message::Response { id, .. }) => {
                let request = self.opened().take(&id);
                // A request without a stream was cancelled.
                request.is_some_and(|request| self.streams.finish(request.stream, line))
            }
            Ok(Message::Notification { method, .. }) if method == "notifications/progress" => {
                let token = Parts::of(line).params.progress_token.and_then(key);
                let stream = token.and_then(|token| self.opened().tokens.get(&token).copied());
                self.streams.push(stream.unwrap_or_else(|| self.elsewhere()), line)
            }
            _ => self.streams.push(self.elsewhere(), line),
        };
        if has_lost {
            (self.log)("messages of the server were dropped, because the client does not read them");
        }
        None
    }

    fn streams(&self) -> &Streams {
        &self.streams
    }

    async fn idle(&self) {
        self.usage.idle(IDLE, || self.streams.has_readers()).await;
    }
}
