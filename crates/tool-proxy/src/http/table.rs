//! The connections of all clients: [`ConnectionTable`].
//!
//! Invariants: each connection has a server and a guard of its own; there are at most as many as the host allows; only the user who began a
//! session can use it.

use std::collections::hash_map::Entry;
use std::convert::Infallible;
use std::io;
use std::sync::{Arc, Mutex};

use hyper::StatusCode;
use tokio::sync::mpsc;

use crate::connection::Connection;
use crate::guard::Guard;
use crate::http::client::HttpClient;
use crate::layers::Layers;
use crate::own_messages::random_digits;
use crate::request_table::Table;
use crate::run::{ProxyEnd, run, serve_all};
use crate::servers::Started;
use crate::settings::Settings;
use crate::sync::locked;
use tool_mcp::__private_0_1_0::http::{HttpAnswer, reject, too_many_sessions};

/// The servers of each connection: their names and prefixes if there are several, and the function that starts them.
pub(super) struct Start {
    pub(super) names: Option<Vec<(String, String)>>,
    pub(super) start: Box<StartAll>,
}

type StartAll = dyn Fn(&mut Layers) -> io::Result<Vec<Started>> + Send + Sync;

/// The connections.
pub(super) struct ConnectionTable {
    pub(super) settings: Arc<Settings>,
    start: Start,
    most: usize,
    state: Mutex<State>,
}

struct State {
    connections: Table<Key, Arc<Connection<HttpClient>>>,
    /// Held by the tasks of all connections. `None` once the proxy ends.
    running: Option<mpsc::Sender<Infallible>>,
}

/// The id of a session, or a user without one.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Session(String),
    User(Option<String>),
}

/// Returns the answer if the operating system has no randomness for the id of a session, or if the settings contradict each other.
fn failed() -> HttpAnswer {
    reject(StatusCode::INTERNAL_SERVER_ERROR, "A server cannot be started.")
}

impl ConnectionTable {
    /// Also returns the receiver that ends once the tasks of all connections have ended.
    pub(super) fn new(settings: Arc<Settings>, start: Start, most: usize) -> (Self, mpsc::Receiver<Infallible>) {
        let (running, ended) = mpsc::channel(1);
        let state = Mutex::new(State { connections: Table::default(), running: Some(running) });
        (Self { settings, start, most, state }, ended)
    }

    /// Begins a session and starts its servers. Returns it with its id.
    pub(super) fn begin(
        self: &Arc<Self>,
        owner: Option<String>,
    ) -> Result<(String, Arc<Connection<HttpClient>>), Box<HttpAnswer>> {
        let id = random_digits().ok_or_else(failed)?;
        let client = HttpClient::new(true, owner, Arc::clone(&self.settings));
        let session = self.connect(&mut locked(&self.state), Key::Session(id.clone()), client)?;
        Ok((id, session))
    }

    /// Returns the session with an id that belongs to a user.
    pub(super) fn session(&self, id: &str, user: Option<&String>) -> Option<Arc<Connection<HttpClient>>> {
        let state = locked(&self.state);
        let session = state.connections.get(&Key::Session(id.to_owned()))?;
        (session.client.owner.as_ref() == user).then(|| Arc::clone(session))
    }

    /// Ends a session and its server.
    pub(super) fn end(&self, id: &str) {
        if let Some(session) = locked(&self.state).connections.remove(&Key::Session(id.to_owned())) {
            session.client.stop();
        }
    }

    /// Returns the connection of a user for requests without sessions. Starts its server if it does not run.
    pub(super) fn stateless(
        self: &Arc<Self>,
        user: Option<&String>,
    ) -> Result<Arc<Connection<HttpClient>>, Box<HttpAnswer>> {
        let (key, mut state) = (Key::User(user.cloned()), locked(&self.state));
        if let Some(connection) = state.connections.get(&key) {
            return Ok(Arc::clone(connection));
        }
        let client = HttpClient::new(false, None, Arc::clone(&self.settings));
        let connection = self.connect(&mut state, key, client)?;
        locked(&connection.layers).guard.checker.share();
        Ok(connection)
    }

    /// Adds a connection, and starts its servers. The connection is removed when they have ended.
    fn connect(
        self: &Arc<Self>,
        state: &mut State,
        key: Key,
        client: HttpClient,
    ) -> Result<Arc<Connection<HttpClient>>, Box<HttpAnswer>> {
        let has_room = state.connections.len() < self.most;
        let running = state.running.clone().filter(|_| has_room).ok_or_else(too_many_sessions)?;
        let guard = Guard::new(Arc::clone(&self.settings)).map_err(|_| failed())?;
        let layers = Arc::new(Mutex::new(Layers::new(guard)));
        let connection = Arc::new(Connection::new(layers, client, self.start.names.clone()));
        state.connections.insert(key.clone(), Arc::clone(&connection));
        let (table, own) = (Arc::clone(self), Arc::clone(&connection));
        tokio::spawn(async move {
            serve(&own, &table.start).await;
            if let Entry::Occupied(current) = locked(&table.state).connections.entry(key)
                && Arc::ptr_eq(current.get(), &own)
            {
                current.remove();
            }
            drop(running);
        });
        Ok(connection)
    }

    /// Ends all connections, and accepts no further ones.
    pub(super) fn close(&self) {
        let mut state = locked(&self.state);
        state.running = None;
        state.connections.drain().for_each(|(_, connection)| connection.client.stop());
    }
}

/// Starts the servers, and runs until they end or the connection is not used any more. All streams have ended then.
async fn serve(connection: &Arc<Connection<HttpClient>>, start: &Start) {
    let started = (start.start)(&mut locked(&connection.layers));
    let log = |remark: &str| locked(&connection.layers).guard.log(remark);
    match started {
        Ok(started) => {
            let serving = serve_all(Arc::clone(connection), started);
            let end = run(&**connection, std::future::pending(), serving, connection.client.over()).await;
            if let ProxyEnd::Server { code, .. } = end {
                let code = code.map_or_else(String::new, |code| format!(" with exit code {code}"));
                log(&format!("a server has ended{code}"));
            }
        }
        Err(error) => log(&format!("the server cannot be started: {error}")),
    }
    connection.servers.iter().for_each(|server| server.outbox.clear());
    connection.client.streams.end_all();
    // A request may wait for the list.
    connection.acted.notify_waiters();
}
