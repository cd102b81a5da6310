//! The layers between a client and its servers: [`Layers`].
//!
//! In: what the client or a server has sent. Out: the frames that leave at either end. On its way from the client to a server, a message passes
//! the guard, the router of several servers, and the translator of its server. There is no I/O and no waiting here.
//!
//! Invariant: a server gets nothing of the client before the end of the handshake with it.

use std::collections::VecDeque;
use std::mem::take;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use super::fate::{Received, Sent, Side};
use super::frame::Frame;
use super::guard::Guard;
use super::router::{Routed, Router};
use super::translate::{Flow, Remark, Translator};

pub(super) type Shared = Arc<Mutex<Layers>>;

pub(super) fn locked(layers: &Shared) -> MutexGuard<'_, Layers> {
    // A panic under the lock ends the proxy anyway.
    layers.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The layers of one connection.
pub(super) struct Layers {
    pub(super) guard: Guard,
    /// `None` if there is one server.
    router: Option<Router>,
    servers: Vec<Server>,
    /// The messages that the next layer has not got yet.
    in_transit: VecDeque<InTransit>,
    pub(super) leaving: Leaving,
    // Empty between two events; the memory is used again.
    sent: Sent,
    routed: Routed,
    flow: Flow,
}

struct Server {
    translator: Translator,
    /// `false` from the end of the server until the end of the handshake with the one that is started in its place.
    is_running: bool,
}

/// A message on its way from one layer to the next.
enum InTransit {
    FromGuard(Frame),
    ToServer(usize, Frame),
    FromServer(usize, Received),
    FromRouter(Frame),
}

/// The frames that leave the layers, in order.
#[derive(Default)]
pub(super) struct Leaving {
    pub(super) to_client: Vec<Frame>,
    pub(super) to_servers: Vec<(usize, Frame)>,
    /// The frames of the client for servers that are not running.
    pub(super) waiting: Vec<(usize, Frame)>,
}

impl Layers {
    pub(super) fn new(guard: Guard) -> Self {
        Self {
            guard,
            router: None,
            servers: Vec::new(),
            in_transit: VecDeque::new(),
            leaving: Leaving::default(),
            sent: Sent::default(),
            routed: Routed::default(),
            flow: Flow::default(),
        }
    }

    /// Adds the servers, by names and prefixes. Without names, there is one.
    pub(super) fn add_servers(&mut self, names: Option<Vec<(String, String)>>) {
        let translation = self.guard.translation();
        let count = names.as_ref().map_or(1, Vec::len);
        let server = |_| Server { translator: Translator::new(translation), is_running: true };
        self.servers = (0..count).map(server).collect();
        if let Some(names) = names {
            self.guard.calls.wait_for_group();
            self.router = Some(Router::new(self.guard.settings(), names));
        }
    }

    /// Returns `true` if several servers are used as one.
    pub(super) fn has_router(&self) -> bool {
        self.router.is_some()
    }

    /// Decides about what the client has sent.
    pub(super) fn client(&mut self, received: Received) {
        self.guard.client(received, &mut self.sent);
        self.finish();
    }

    /// Decides about what a server has sent.
    pub(super) fn server(&mut self, server: usize, received: Received) {
        let translator = &mut self.servers[server].translator;
        if translator.is_same() {
            self.in_transit.push_back(InTransit::FromServer(server, received));
        } else {
            let rest = translator.server(received, &mut self.flow);
            self.leave_translator(server);
            self.in_transit.extend(rest.map(|rest| InTransit::FromServer(server, rest)));
        }
        self.finish();
    }

    /// Returns the time at which [`expire`](Self::expire) has something to do.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.guard.deadline().into_iter().chain(self.router.as_ref().and_then(Router::deadline)).min()
    }

    /// Ends the waiting that has taken too long.
    pub(super) fn expire(&mut self, now: Instant) {
        self.guard.expire(now, &mut self.sent);
        if let Some(router) = &mut self.router {
            router.expire(now, &mut self.routed);
        }
        self.finish();
    }

    /// Returns `true` if messages of the client wait for an answer of the server that shows its revision.
    pub(super) fn is_waiting(&self, server: usize) -> bool {
        self.servers[server].translator.is_waiting()
    }

    /// Notes whether a server reads its input.
    pub(super) fn set_stuck(&mut self, server: usize, is_stuck: bool) {
        if let Some(router) = &mut self.router {
            router.set_stuck(server, is_stuck);
        }
    }

    /// Writes a remark about a server to the log.
    pub(super) fn remark(&self, server: usize, remark: &str) {
        match &self.router {
            Some(router) => router.remark(server, remark),
            None => self.guard.log(remark),
        }
    }

    /// Answers the open requests of a server that has ended.
    pub(super) fn lose(&mut self, server: usize, reason: &str) {
        self.servers[server].is_running = false;
        match &mut self.router {
            Some(router) => router.lose(server, &mut self.routed),
            None => self.guard.lose_server(reason, &mut self.sent),
        }
        self.finish();
    }

    /// Begins the handshake of the client with a server that was started in the place of another one. Returns `false` if it needs none.
    pub(super) fn begin_handshake(&mut self, server: usize) -> bool {
        let translation = self.guard.translation();
        let request = match &mut self.router {
            Some(router) => router.handshake(server),
            None => self.guard.repeat_handshake(),
        };
        let translator = &mut self.servers[server].translator;
        *translator = Translator::new(translation);
        let Some(request) = request else { return false };
        translator.client(request, &mut self.flow);
        self.leave_translator(server);
        self.finish();
        true
    }

    /// Returns `true` if a server has accepted the handshake, and `None` if it has not answered.
    pub(super) fn has_agreed(&self, server: usize) -> Option<bool> {
        match &self.router {
            Some(router) => router.members[server].has_agreed,
            None => self.guard.repeated_handshake(),
        }
    }

    /// Begins to use a server after the handshake. `waiting` are the frames of the client for it.
    pub(super) fn restarted(&mut self, server: usize, waiting: Vec<Frame>) {
        self.servers[server].is_running = true;
        self.guard.calls.report_mut().restarts += 1;
        match &mut self.router {
            Some(router) => router.restarted(server, &mut self.routed),
            None => self.guard.restarted(&mut self.sent),
        }
        self.finish();
        self.in_transit.extend(waiting.into_iter().map(|frame| InTransit::ToServer(server, frame)));
        self.finish();
    }

    /// Answers all open requests of the client. Returns `true` if there were any.
    pub(super) fn end(&mut self, reason: &str) -> bool {
        self.guard.end(reason, &mut self.sent);
        self.leaving.to_client.append(&mut self.sent.to_client);
        !self.leaving.to_client.is_empty()
    }

    /// Passes everything on until it has left the layers.
    fn finish(&mut self) {
        loop {
            self.leaving.to_client.append(&mut self.sent.to_client);
            self.in_transit.extend(self.sent.to_server.drain(..).map(InTransit::FromGuard));
            self.in_transit.extend(self.routed.to_client.drain(..).map(InTransit::FromRouter));
            let to_servers = self.routed.to_servers.drain(..);
            self.in_transit.extend(to_servers.map(|(server, frame)| InTransit::ToServer(server, frame)));
            match (self.in_transit.pop_front(), &mut self.router) {
                (None, _) => return,
                (Some(InTransit::FromGuard(frame)), Some(router)) => router.client(frame, &mut self.routed),
                (Some(InTransit::FromGuard(frame)), None) => self.leave_router(0, frame),
                (Some(InTransit::ToServer(server, frame)), _) => self.leave_router(server, frame),
                (Some(InTransit::FromServer(server, received)), Some(router)) => {
                    router.server(server, received, &mut self.routed);
                    self.guard.calls.report_mut().add_dropped(take(&mut router.dropped));
                }
                (Some(InTransit::FromServer(_, received)), None) => self.guard.server(received, &mut self.sent),
                (Some(InTransit::FromRouter(frame)), _) => self.guard.server(Received::Frame(frame), &mut self.sent),
            }
        }
    }

    fn leave_router(&mut self, server: usize, frame: Frame) {
        let Server { translator, is_running } = &mut self.servers[server];
        if !*is_running {
            self.leaving.waiting.push((server, frame));
        } else if translator.is_same() {
            self.leaving.to_servers.push((server, frame));
        } else {
            translator.client(frame, &mut self.flow);
            self.leave_translator(server);
        }
    }

    fn leave_translator(&mut self, server: usize) {
        for remark in self.flow.remarks.drain(..) {
            match remark {
                Remark::Log(text) => self.guard.log(&text),
                Remark::Stray => self.guard.count_stray(Side::Server),
            }
        }
        let to_client = self.flow.to_client.drain(..);
        self.in_transit.extend(to_client.map(|frame| InTransit::FromServer(server, Received::Frame(frame))));
        self.leaving.to_servers.extend(self.flow.to_server.drain(..).map(|frame| (server, frame)));
    }
}
