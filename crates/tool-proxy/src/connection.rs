//! The two ends of the layers: [`Connection`].

#[cfg(feature = "remote")]
use std::pin::Pin;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use tokio::io::AsyncRead;
use tokio::process::Child;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use crate::action::Received;
use crate::frame::Frame;
use crate::layers::{Layers, Shared};
use crate::outbox::Outbox;
use crate::servers::EXITING;
use crate::sync::locked;
use tool_mcp::__private_0_1_0::Lines;

/// The time after which one of several servers that does not read its input gets no further requests.
const STUCK: Duration = Duration::from_secs(10);
/// The time for which a server without input may still answer open requests.
const ANSWERING: Duration = Duration::from_secs(60);

/// The receiver of the messages for the client.
pub(super) trait ToClient: Send + Sync {
    /// Passes a message on to the client. Returns an answer to the server, if the message needs one that no client can give.
    fn send(&self, frame: Frame) -> Option<Frame>;

    /// Waits until more messages may be passed on.
    fn room(&self) -> impl Future<Output = ()> + Send;
}

impl ToClient for Outbox {
    fn send(&self, frame: Frame) -> Option<Frame> {
        self.push(frame);
        None
    }

    async fn room(&self) {
        Outbox::room(self).await;
    }
}

/// The layers with the client at one end, and the servers at the other.
pub(super) struct Connection<C> {
    pub(super) layers: Shared,
    pub(super) client: C,
    pub(super) servers: Vec<ServerEnd>,
    /// Notified when the layers have acted.
    #[cfg(feature = "http")]
    pub(super) acted: Notify,
    /// The time at which the layers act by themselves.
    deadline: Mutex<Option<Instant>>,
    /// Notified when that time is earlier than before.
    earlier: Notify,
    /// `true` once the client has ended.
    is_closing: AtomicBool,
}

/// A future that ends the session with a remote server.
#[cfg(feature = "remote")]
pub(super) type Ending = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The frames that wait for a server, and its process.
#[derive(Default)]
pub(super) struct ServerEnd {
    pub(super) outbox: Outbox,
    is_stuck: AtomicBool,
    pub(super) process: Mutex<Option<Child>>,
    /// Ends the session with a remote server.
    #[cfg(feature = "remote")]
    pub(super) ending: Mutex<Option<Ending>>,
}

impl<C: ToClient> Connection<C> {
    /// Connects the layers with a client, and with servers that have these names and prefixes. Without names, there is one.
    pub(super) fn new(layers: Shared, client: C, names: Option<Vec<(String, String)>>) -> Self {
        let servers = names.as_ref().map_or(1, Vec::len);
        locked(&layers).add_servers(names);
        Self {
            layers,
            client,
            servers: (0..servers).map(|_| ServerEnd::default()).collect(),
            #[cfg(feature = "http")]
            acted: Notify::new(),
            deadline: Mutex::default(),
            earlier: Notify::new(),
            is_closing: AtomicBool::new(false),
        }
    }

    /// Lets the layers act, and queues what leaves them. Both happen under one lock, so that nothing follows the end of its server.
    pub(super) fn act<T>(&self, act: impl FnOnce(&mut Layers) -> T) -> T {
        let mut layers = locked(&self.layers);
        let value = act(&mut layers);
        while !layers.leaving.to_client.is_empty() {
            let mut frames = std::mem::take(&mut layers.leaving.to_client);
            for frame in frames.drain(..) {
                if let Some(answer) = self.client.send(frame) {
                    layers.client(Received::Frame(answer));
                }
            }
            if layers.leaving.to_client.is_empty() {
                // The memory is used again.
                layers.leaving.to_client = frames;
                break;
            }
        }
        for (server, frame) in layers.leaving.to_servers.drain(..) {
            self.servers[server].outbox.push(frame);
        }
        for (server, frame) in layers.leaving.waiting.drain(..) {
            self.servers[server].outbox.keep(frame);
        }
        if self.is_closing.load(Relaxed) {
            let ready = (0..self.servers.len()).filter(|server| !layers.is_waiting(*server));
            ready.for_each(|server| self.servers[server].outbox.close());
        }
        if let Some(deadline) = layers.deadline() {
            let mut own = locked(&self.deadline);
            // A later time is noted when the earlier one has come.
            if own.is_none_or(|own| deadline < own) {
                *own = Some(deadline);
                self.earlier.notify_one();
            }
        }
        #[cfg(feature = "http")]
        self.acted.notify_waiters();
        value
    }

    /// Repeats the handshake with a server that was started in place of another one, or begins to use the server if it needs none.
    pub(super) fn repeat_handshake(&self, server: usize) {
        if !self.act(|layers| layers.begin_handshake(server)) {
            self.use_restarted(server);
        }
    }

    /// Passes on what a server has sent. A restarted server is used once it has accepted the handshake. Returns `false` if it has rejected it.
    pub(super) fn receive(&self, server: usize, received: Received) -> bool {
        let has_agreed = self.act(|layers| {
            layers.server(server, received);
            layers.has_agreed(server)
        });
        if has_agreed == Some(true) {
            self.use_restarted(server);
        }
        has_agreed != Some(false)
    }

    /// Sends the frames that were kept for a restarted server. No other thread can keep one in the meantime.
    fn use_restarted(&self, server: usize) {
        self.act(|layers| layers.restarted(server, self.servers[server].outbox.take_kept()));
    }

    /// Waits until something of the client may be passed on.
    pub(super) async fn room(&self) {
        self.client.room().await;
        if let [only] = &*self.servers {
            return only.outbox.room().await;
        }
        for (index, server) in self.servers.iter().enumerate() {
            let was_stuck = server.is_stuck.load(Relaxed);
            let patience = if was_stuck { Duration::ZERO } else { STUCK };
            let is_stuck = timeout(patience, server.outbox.room()).await.is_err();
            if is_stuck != was_stuck && server.is_stuck.swap(is_stuck, Relaxed) == was_stuck {
                self.act(|layers| layers.set_stuck(index, is_stuck));
            }
        }
    }

    /// Reads the client until its end.
    pub(super) async fn read<R: AsyncRead + Unpin>(&self, from_client: R) {
        let limit = locked(&self.layers).guard.settings.message_limit;
        let mut lines = Lines::new(from_client, limit);
        loop {
            self.room().await;
            let Some(received) = Received::of(lines.next().await, limit) else { return };
            self.act(|layers| layers.client(received));
        }
    }

    /// Closes the input of the servers, and waits until they have answered and exited, for a limited time.
    pub(super) async fn drain(&self) {
        self.is_closing.store(true, Relaxed);
        self.act(|_| {});
        let answered = async {
            while locked(&self.layers).guard.requests.has_open() {
                sleep(EXITING).await;
            }
        };
        let _ = timeout(ANSWERING, answered).await;
        sleep(EXITING).await;
    }

    /// Lets the layers act when their time has come.
    pub(super) async fn keep_time(&self) -> std::convert::Infallible {
        loop {
            let deadline = *locked(&self.deadline);
            tokio::select! {
                () = self.earlier.notified() => {}
                () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => {
                    *locked(&self.deadline) = None;
                    self.act(|layers| layers.expire(Instant::now()));
                }
            }
        }
    }
}
