//! The layers between a client and its servers: [`Layers`].
//!
//! In: what the client or a server has sent. Out: the frames that leave at either end. On its way from the client to a server, a message passes
//! the guard, the router of several servers, and the translator of its server. Apart from the file of remembered definitions, there is no I/O and no waiting here. Only this file sees lines
//! that cannot be used: an error takes the place of such an answer, and such a request is answered with one.
//!
//! Invariant: a server gets nothing of the client before the end of the handshake with it.

use std::collections::VecDeque;
use std::mem::take;
use std::sync::{Arc, Mutex};

use rmcp::model::RequestId;
use tokio::time::Instant;

use crate::action::{Broken, Received};
use crate::frame::{Frame, Message, requests_of};
use crate::guard::Guard;
use crate::handshake::repeated_id;
use crate::own_messages::{INVALID_REQUEST, error, lost};
use crate::pending_request::PendingRequest;
use crate::router::Router;
use crate::sync::locked;
use crate::translate::{Translated, Translator};

pub(super) type Shared = Arc<Mutex<Layers>>;

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
    translated: Translated,
}

struct Server {
    translator: Translator,
    state: ServerState,
}

/// The state of a server.
#[derive(Clone, Copy, PartialEq)]
enum ServerState {
    Running,
    /// The server has ended, or the one that is started in its place has not answered the handshake.
    Ended,
    /// The restarted server has accepted or rejected the handshake.
    Answered(bool),
}

/// A message on its way from one layer to the next.
enum InTransit {
    FromGuard(Frame),
    ToServer(usize, Frame),
    FromServer(usize, Frame),
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
            translated: Translated::default(),
        }
    }

    /// Adds the servers, by names and prefixes. Without names, there is one.
    pub(super) fn add_servers(&mut self, names: Option<Vec<(String, String)>>) {
        let translation = self.guard.settings.translation();
        let count = names.as_ref().map_or(1, Vec::len);
        let server = |_| Server { translator: Translator::new(translation), state: ServerState::Running };
        self.servers = (0..count).map(server).collect();
        if let Some(names) = names {
            self.guard.wait_for_group();
            self.guard.pin_name = None;
            self.router = Some(Router::new(Arc::clone(&self.guard.settings), names));
        }
    }

    /// Returns `true` if several servers are used as one.
    pub(super) fn has_router(&self) -> bool {
        self.router.is_some()
    }

    /// Decides about what the client has sent.
    pub(super) fn client(&mut self, received: Received) {
        match received {
            Received::Frame(frame) => self.guard.client(frame),
            Received::Batch(line) => {
                self.guard.bad_line("the client sent several messages in one line, which was rejected");
                let text = "Send each message on a line of its own.";
                let rejected = requests_of(&line).into_iter().map(|id| error(&id, INVALID_REQUEST, text));
                self.leaving.to_client.extend(rejected);
            }
            Received::Unusable(line) => {
                self.guard.bad_line(&line.remark("client", &self.guard.settings.redacted));
                match line.broken {
                    Broken::Request(id) if !self.guard.requests.has(&id) => {
                        self.leaving.to_client.push(error(&id, INVALID_REQUEST, &line.reason));
                    }
                    Broken::Answer(id) => self.guard.client(lost(&id, &line.reason)),
                    Broken::Request(_) | Broken::Unclear | Broken::Other => {}
                }
            }
        }
        self.finish();
    }

    /// Decides about what a server has sent.
    pub(super) fn server(&mut self, server: usize, received: Received) {
        match received {
            Received::Frame(frame) => self.enter_translator(server, frame),
            Received::Batch(_) => {
                self.bad_line(server, "the server sent several messages in one line, which was dropped");
            }
            Received::Unusable(line) => {
                self.bad_line(server, &line.remark("server", &self.guard.settings.redacted));
                match line.broken {
                    Broken::Request(id) => {
                        if self.router.is_some() || !self.guard.questions.has(&id) {
                            self.leaving.to_servers.push((server, error(&id, INVALID_REQUEST, &line.reason)));
                        }
                    }
                    Broken::Answer(id) => self.enter_translator(server, lost(&id, &line.reason)),
                    // If the server has only one request to answer, this was the answer.
                    Broken::Unclear => match self.only_request(server) {
                        (Some(id), _) => {
                            self.in_transit.push_back(InTransit::FromServer(server, lost(&id, &line.reason)));
                        }
                        (None, true) => {
                            self.remark(server, "the line may be the answer to one of several open requests");
                        }
                        (None, false) => {}
                    },
                    Broken::Other => {}
                }
            }
        }
        self.finish();
    }

    fn bad_line(&mut self, server: usize, remark: &str) {
        locked(&self.guard.settings.report).bad_lines += 1;
        self.remark(server, remark);
    }

    /// Returns the open request of a server if there is only one, and `true` if there are any.
    fn only_request(&self, server: usize) -> (Option<RequestId>, bool) {
        if let Some(router) = &self.router {
            return router.only_request(server);
        }
        let requests = &self.guard.requests;
        (requests.only(PendingRequest::is_sent), requests.has_open())
    }

    /// Requests the list of tools of the server.
    #[cfg(feature = "http")]
    pub(super) fn request_list(&mut self, protocol: Option<String>) {
        self.guard.begin_list(protocol);
        self.finish();
    }

    /// Returns the time at which [`expire`](Self::expire) has something to do.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.guard.deadline().into_iter().chain(self.router.as_ref().and_then(Router::deadline)).min()
    }

    /// Ends the waiting that has taken too long.
    pub(super) fn expire(&mut self, now: Instant) {
        self.guard.expire(now);
        if let Some(router) = &mut self.router {
            router.expire(now);
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
        self.servers[server].state = ServerState::Ended;
        match &mut self.router {
            Some(router) => router.lose(server),
            None => self.guard.lose_server(reason),
        }
        self.finish();
    }

    /// Begins the handshake of the client with a server that was started in the place of another one. Returns `false` if it needs none.
    pub(super) fn begin_handshake(&mut self, server: usize) -> bool {
        let Server { translator, state } = &mut self.servers[server];
        *translator = Translator::new(self.guard.settings.translation());
        *state = ServerState::Ended;
        let Some(request) = self.guard.handshake.repeat(self.router.is_some()) else { return false };
        translator.client(request, &mut self.translated);
        self.leave_translator(server);
        self.finish();
        true
    }

    /// Returns `true` if a server has accepted the handshake, and `None` if it has not answered.
    pub(super) fn has_agreed(&self, server: usize) -> Option<bool> {
        match self.servers[server].state {
            ServerState::Answered(has_agreed) => Some(has_agreed),
            ServerState::Running | ServerState::Ended => None,
        }
    }

    /// Returns `true` if a server is in use, after its handshake if it was restarted.
    pub(super) fn is_running(&self, server: usize) -> bool {
        self.servers[server].state == ServerState::Running
    }

    /// Begins to use a server after the handshake. `waiting` are the frames of the client for it.
    pub(super) fn restarted(&mut self, server: usize, waiting: Vec<Frame>) {
        self.servers[server].state = ServerState::Running;
        locked(&self.guard.settings.report).restarts += 1;
        match &mut self.router {
            Some(router) => router.restarted(server),
            None => self.guard.handshake.begin_use(&mut self.guard.out),
        }
        self.finish();
        self.in_transit.extend(waiting.into_iter().map(|frame| InTransit::ToServer(server, frame)));
        self.finish();
    }

    /// Answers all open requests of the client. Returns `true` if there were any.
    pub(super) fn end(&mut self, reason: &str) -> bool {
        self.guard.end(reason);
        self.leaving.to_client.append(&mut self.guard.out.to_client);
        !self.leaving.to_client.is_empty()
    }

    /// Passes everything on until it has left the layers.
    fn finish(&mut self) {
        loop {
            self.leaving.to_client.append(&mut self.guard.out.to_client);
            self.in_transit.extend(self.guard.out.to_server.drain(..).map(InTransit::FromGuard));
            if let Some(router) = &mut self.router {
                self.in_transit.extend(router.out.to_client.drain(..).map(InTransit::FromRouter));
                let to_servers = router.out.to_servers.drain(..);
                self.in_transit.extend(to_servers.map(|(server, frame)| InTransit::ToServer(server, frame)));
            }
            match self.in_transit.pop_front() {
                None => return,
                Some(InTransit::FromGuard(frame)) => match &mut self.router {
                    Some(router) => router.client(frame),
                    None => self.leave_router(0, frame),
                },
                Some(InTransit::ToServer(server, frame)) => self.leave_router(server, frame),
                Some(InTransit::FromServer(server, frame)) => self.enter_router(server, frame),
                Some(InTransit::FromRouter(frame)) => self.guard.server(frame),
            }
        }
    }

    fn leave_router(&mut self, server: usize, frame: Frame) {
        let Server { translator, state } = &mut self.servers[server];
        if *state != ServerState::Running {
            self.leaving.waiting.push((server, frame));
        } else if translator.is_same() {
            self.leaving.to_servers.push((server, frame));
        } else {
            translator.client(frame, &mut self.translated);
            self.leave_translator(server);
        }
    }

    fn enter_translator(&mut self, server: usize, frame: Frame) {
        let translator = &mut self.servers[server].translator;
        if translator.is_same() {
            self.in_transit.push_back(InTransit::FromServer(server, frame));
        } else {
            translator.server(frame, &mut self.translated);
            self.leave_translator(server);
        }
    }

    fn leave_translator(&mut self, server: usize) {
        self.translated.remarks.drain(..).for_each(|remark| self.guard.log(&remark));
        for _ in 0..take(&mut self.translated.stray_answers) {
            self.guard.count_stray("server");
        }
        let to_client = self.translated.to_client.drain(..);
        self.in_transit.extend(to_client.map(|frame| InTransit::FromServer(server, frame)));
        self.leaving.to_servers.extend(self.translated.to_server.drain(..).map(|frame| (server, frame)));
    }

    fn enter_router(&mut self, server: usize, frame: Frame) {
        let state = &mut self.servers[server].state;
        if *state == ServerState::Ended
            && let Message::Response { id, answer } = frame.message()
            && id == repeated_id()
        {
            *state = ServerState::Answered(match &mut self.router {
                Some(router) => router.accepts(server, answer),
                None => self.guard.handshake.accepts(answer),
            });
            return;
        }
        match &mut self.router {
            Some(router) => router.server(server, frame),
            None => self.guard.server(frame),
        }
    }
}
