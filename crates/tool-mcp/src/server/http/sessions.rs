//! The sessions of clients of revisions until 2025-11-25: [`Sessions`].
//!
//! Invariants: there are at most as many sessions as the host allows; only the user who began a session can use it; the open requests of a
//! session are bounded and have different ids.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::{ErrorData, RequestId};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use tokio::sync;

use super::super::duplicates::{duplicate, too_many};
use super::super::settings::Principal;

/// The maximum number of open requests of a session. Requests stay open when their client disconnects, because it can fetch the answers later.
const MOST_OPEN: usize = 100;

/// The sessions of a server.
pub(super) struct Sessions {
    manager: Arc<LocalSessionManager>,
    most: usize,
    /// Held while a session begins, so that the number of sessions never exceeds its limit.
    beginning: sync::Mutex<()>,
    known: Mutex<HashMap<String, Known>>,
}

struct Known {
    owner: Option<Principal>,
    open: HashSet<RequestId>,
}

/// The permission to begin one session.
pub(super) struct Beginning<'s> {
    sessions: &'s Sessions,
    _turn: sync::MutexGuard<'s, ()>,
}

/// The reason why a request cannot be passed to its session.
pub(super) enum Rejection {
    /// The session belongs to another user.
    Foreign,
    /// The request is answered with an error.
    Error(RequestId, ErrorData),
}

/// An open request of a session, which ends when the last clone is dropped.
#[derive(Clone)]
pub(super) struct Open {
    #[expect(dead_code, reason = "it acts when it is dropped")]
    request: Arc<OpenRequest>,
}

struct OpenRequest {
    sessions: Arc<Sessions>,
    session: String,
    id: RequestId,
}

impl Sessions {
    pub(super) fn new(manager: Arc<LocalSessionManager>, most: usize) -> Self {
        Self { manager, most, beginning: sync::Mutex::default(), known: Mutex::default() }
    }

    /// Waits until a session can begin; `None` if there are too many.
    pub(super) async fn begin(&self) -> Option<Beginning<'_>> {
        let turn = self.beginning.lock().await;
        let sessions = self.manager.sessions.read().await;
        self.known().retain(|id, _| sessions.contains_key(id.as_str()));
        (sessions.len() < self.most).then_some(Beginning { sessions: self, _turn: turn })
    }

    /// Opens a request, or returns `None` for a message that is not a request, and for an unknown session.
    pub(super) fn open(
        self: &Arc<Self>,
        session: &str,
        user: Option<&Principal>,
        request: Option<RequestId>,
    ) -> Result<Option<Open>, Rejection> {
        let mut known = self.known();
        let Some(Known { owner, open }) = known.get_mut(session) else { return Ok(None) };
        if owner.as_ref() != user {
            return Err(Rejection::Foreign);
        }
        let Some(id) = request else { return Ok(None) };
        if open.len() >= MOST_OPEN {
            return Err(Rejection::Error(id, too_many(MOST_OPEN)));
        }
        if !open.insert(id.clone()) {
            return Err(Rejection::Error(id, duplicate()));
        }
        let request = OpenRequest { sessions: Arc::clone(self), session: session.to_owned(), id };
        Ok(Some(Open { request: Arc::new(request) }))
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        // No code under the lock can panic.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Beginning<'_> {
    /// Records the session that has begun.
    pub(super) fn end(self, id: &str, owner: Option<Principal>) {
        self.sessions.known().insert(id.to_owned(), Known { owner, open: HashSet::new() });
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        if let Some(known) = self.sessions.known().get_mut(&self.session) {
            known.open.remove(&self.id);
        }
    }
}
