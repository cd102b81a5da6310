//! The connections of all clients: [`Table`].
//!
//! Invariants: each connection has a server and a guard of its own; there are at most as many as the host allows; only the user who began a
//! session can use it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc;
use tool_runtime::BuildError;

use super::super::connection::Connection;
use super::super::guard::Guard;
use super::super::layers::{Layers, Shared, locked};
use super::super::report::ProxyReport;
use super::super::settings::Settings;
use super::peer::{Peer, Start};
use super::session::Session;
use super::stateless::Stateless;

/// The connections.
pub(super) struct Table {
    settings: Arc<Settings>,
    start: Arc<Start>,
    most: usize,
    counts: Arc<Counts>,
    state: Mutex<State>,
}

struct State {
    sessions: HashMap<String, Arc<Connection<Session>>>,
    /// The connections without sessions, by user.
    stateless: HashMap<Option<String>, Arc<Connection<Stateless>>>,
    /// Held by the tasks of all connections. `None` once the proxy ends.
    running: Option<mpsc::Sender<Infallible>>,
}

/// The counts of all connections.
#[derive(Default)]
pub(crate) struct Counts(Mutex<Counted>);

#[derive(Default)]
struct Counted {
    ended: ProxyReport,
    running: HashMap<u64, Shared>,
    newest: u64,
}

/// The reason why there is no connection.
pub(super) enum Unavailable {
    TooMany,
    /// The operating system has no randomness for the id of a session, or the settings contradict each other.
    Failed,
}

impl From<io::Error> for Unavailable {
    fn from(_: io::Error) -> Self {
        Self::Failed
    }
}

impl From<BuildError> for Unavailable {
    fn from(_: BuildError) -> Self {
        Self::Failed
    }
}

impl Counts {
    /// Returns the counts of all connections together.
    pub(crate) fn report(&self) -> ProxyReport {
        let counted = self.counted();
        let mut report = counted.ended.clone();
        for guard in counted.running.values() {
            report.add(locked(guard).guard.report());
        }
        report
    }

    fn begin(&self, guard: &Shared) -> u64 {
        let mut counted = self.counted();
        counted.newest += 1;
        let number = counted.newest;
        counted.running.insert(number, Arc::clone(guard));
        number
    }

    fn end(&self, number: u64) {
        let mut counted = self.counted();
        if let Some(guard) = counted.running.remove(&number) {
            counted.ended.add(locked(&guard).guard.report());
        }
    }

    fn counted(&self) -> MutexGuard<'_, Counted> {
        // No code under the lock can panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    /// Also returns the receiver that ends once the tasks of all connections have ended.
    pub(super) fn new(
        settings: Arc<Settings>,
        start: Arc<Start>,
        most: usize,
        counts: Arc<Counts>,
    ) -> (Self, mpsc::Receiver<Infallible>) {
        let (running, ended) = mpsc::channel(1);
        let state = State { sessions: HashMap::new(), stateless: HashMap::new(), running: Some(running) };
        (Self { settings, start, most, counts, state: Mutex::new(state) }, ended)
    }

    pub(super) fn message_limit(&self) -> usize {
        self.settings.message_limit
    }

    /// Begins a session and starts its servers. Returns it with its id.
    pub(super) fn begin(
        self: &Arc<Self>,
        owner: Option<String>,
    ) -> Result<(String, Arc<Connection<Session>>), Unavailable> {
        let id = new_id()?;
        let mut state = self.state();
        let running = state.room(self.most)?;
        let session = self.connect(Session::new(owner, Arc::clone(&self.settings)))?;
        state.sessions.insert(id.clone(), Arc::clone(&session));
        drop(state);
        let (table, own) = (Arc::clone(self), id.clone());
        let end = move || drop(table.state().sessions.remove(&own));
        self.spawn(Arc::clone(&session), running, end);
        Ok((id, session))
    }

    /// Returns the session with an id that belongs to a user.
    pub(super) fn session(&self, id: &str, user: Option<&String>) -> Option<Arc<Connection<Session>>> {
        self.state().sessions.get(id).filter(|session| session.client.owner.as_ref() == user).map(Arc::clone)
    }

    /// Ends a session and its server.
    pub(super) fn end(&self, id: &str) {
        let session = self.state().sessions.remove(id);
        if let Some(session) = session {
            session.client.usage.stop();
        }
    }

    /// Returns the connection of a user for requests without sessions. Starts its server if it does not run.
    pub(super) fn stateless(
        self: &Arc<Self>,
        user: Option<&String>,
    ) -> Result<Arc<Connection<Stateless>>, Unavailable> {
        let user = user.cloned();
        let mut state = self.state();
        if let Some(connection) = state.stateless.get(&user) {
            return Ok(Arc::clone(connection));
        }
        let running = state.room(self.most)?;
        let connection = self.connect(Stateless::new(self.settings.list_time_limit))?;
        locked(&connection.layers).guard.calls.checker.share();
        state.stateless.insert(user.clone(), Arc::clone(&connection));
        drop(state);
        let (table, own) = (Arc::clone(self), Arc::clone(&connection));
        let end = move || table.forget(user, &own);
        self.spawn(Arc::clone(&connection), running, end);
        Ok(connection)
    }

    /// Removes a connection whose server has ended.
    fn forget(&self, user: Option<String>, connection: &Arc<Connection<Stateless>>) {
        let mut state = self.state();
        if let Entry::Occupied(current) = state.stateless.entry(user)
            && Arc::ptr_eq(current.get(), connection)
        {
            current.remove();
        }
    }

    fn connect<C: Peer>(&self, client: C) -> Result<Arc<Connection<C>>, BuildError> {
        let layers = Layers::new(Guard::new(Arc::clone(&self.settings))?);
        Ok(Arc::new(Connection::new(Arc::new(Mutex::new(layers)), client, self.start.names.clone())))
    }

    fn spawn<C: Peer>(
        &self,
        connection: Arc<Connection<C>>,
        running: mpsc::Sender<Infallible>,
        end: impl FnOnce() + Send + 'static,
    ) {
        let (start, counts) = (Arc::clone(&self.start), Arc::clone(&self.counts));
        tokio::spawn(async move {
            let number = counts.begin(&connection.layers);
            connection.serve(&start).await;
            counts.end(number);
            end();
            drop(running);
        });
    }

    /// Ends all connections, and accepts no further ones.
    pub(super) fn close(&self) {
        let mut state = self.state();
        state.running = None;
        let State { sessions, stateless, .. } = &mut *state;
        for (_, session) in sessions.drain() {
            session.client.usage.stop();
        }
        for (_, connection) in stateless.drain() {
            connection.client.usage().stop();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No code under the lock can panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn room(&self, most: usize) -> Result<mpsc::Sender<Infallible>, Unavailable> {
        let has_room = self.sessions.len() + self.stateless.len() < most;
        self.running.clone().filter(|_| has_room).ok_or(Unavailable::TooMany)
    }
}

/// Returns a random id that nobody can guess.
fn new_id() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    let mut id = String::new();
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(id, "{byte:02x}");
    }
    Ok(id)
}
