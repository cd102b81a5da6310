//! A client of revision 2026-07-28 with a server of an earlier revision: [`ModernClient`].
//!
//! The handshake is made with the information of the client's first request. After it, each request loses the members of `_meta` that only
//! the later revision has, and each result gets the members that the later revision requires.
//!
//! Invariants: every request of the client is sent to the server at most once, and gets one answer; requests have ids of the proxy at the server.

use rmcp::model::RequestId;
use tokio::time::Instant;

use super::super::frame::{Frame, Message};
use super::super::open::Table;
use super::super::parts::cancelled;
use super::super::writing::{cancellation, error, failure, json_string, response};
use super::flow::{
    CAPABILITIES, CLIENT, Flow, INVALID_PARAMS, LOG_LEVEL, MODERN, UNKNOWN_METHOD, UNSUPPORTED_REVISION, VERSION,
    members,
};
use super::held::Held;
use super::hello::{Hello, initialize, take_meta};
use super::listeners::{Listeners, resource};
use super::questions::{ASKING, Questions, Repeated, is_question};

/// The methods whose results contain the time for which they are valid.
const CACHED: [&str; 5] =
    ["tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read"];
/// The methods that only one of both revisions has, or that mean something else in the other one.
const REFUSED: [&str; 9] = [
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
    "tasks/get",
    "tasks/update",
    "tasks/cancel",
    "tasks/list",
];

pub(super) struct ModernClient {
    pub(super) handshake: Handshake,
    pub(super) requests: Table<RequestId, Request>,
    /// The ids at the server of the client's open requests.
    pub(super) ids: Table<RequestId, RequestId>,
    count: i64,
    pub(super) questions: Questions,
    listeners: Listeners,
    /// The log level of the server; empty if it has not been set.
    level: String,
    /// The number of open requests with a log level.
    pub(super) logging: usize,
    /// The capabilities in the first request of the client.
    pub(super) capabilities: String,
}

pub(super) enum Handshake {
    /// The server has not answered yet. The messages of the client wait.
    Open(Held),
    Done(Hello),
    /// The server has refused.
    Failed(String),
}

/// A request that the server has to answer.
pub(super) struct Request {
    pub(super) kind: Kind,
    /// The id that the client has given to the request; `None` for requests of the proxy and while a call is suspended.
    pub(super) client: Option<RequestId>,
    pub(super) has_level: bool,
}

pub(super) enum Kind {
    Initialize,
    /// A request of the proxy whose result does not matter.
    Own,
    Other {
        is_cached: bool,
    },
    /// A call that can be answered with questions, with its hash and the capabilities of its client.
    Asking {
        is_cached: bool,
        call: u64,
        capabilities: String,
    },
}

impl ModernClient {
    /// Begins the handshake. `first` are the parameters of the first request of the client.
    pub(super) fn begin(first: &str, flow: &mut Flow) -> Self {
        let (hello, capabilities) = initialize(first);
        let mut client = Self {
            handshake: Handshake::Open(Held::default()),
            requests: Table::default(),
            ids: Table::default(),
            count: 0,
            questions: Questions::default(),
            listeners: Listeners::default(),
            level: String::new(),
            logging: 0,
            capabilities,
        };
        client.send(Request { kind: Kind::Initialize, client: None, has_level: false }, "initialize", &hello, flow);
        client
    }

    /// Translates a message of the client.
    pub(super) fn client(&mut self, frame: Frame, flow: &mut Flow) {
        self.questions.expire(Instant::now(), flow);
        if let Handshake::Open(held) = &mut self.handshake {
            held.hold(frame, flow);
            return;
        }
        match frame.message() {
            Message::Request { id, method, params } => self.request(id, method, params, flow),
            Message::Notification { method: "notifications/cancelled", params } => self.cancelled(params, flow),
            Message::Notification { method, .. } if method.starts_with("notifications/roots") => {}
            Message::Notification { .. } => flow.to_server.push(frame),
            // In revision 2026-07-28, clients do not answer requests.
            Message::Response { .. } | Message::Error => {}
        }
    }

    fn request(&mut self, id: RequestId, method: &str, params: &str, flow: &mut Flow) {
        let hello = match &self.handshake {
            Handshake::Done(hello) => hello,
            Handshake::Failed(reason) => return flow.to_client.push(failure(&id, reason)),
            Handshake::Open(_) => return,
        };
        let mut params = members(params);
        let mut meta = take_meta(&mut params);
        let version = meta.remove(VERSION).and_then(|version| serde_json::from_str::<String>(&version).ok());
        if let Some(version) = version.filter(|version| version != MODERN) {
            let data = format!(r#"{{"supported":["{MODERN}"],"requested":{}}}"#, json_string(&version));
            let reason = json_string("Unsupported protocol version");
            let error = format!(r#"{{"code":{UNSUPPORTED_REVISION},"message":{reason},"data":{data}}}"#);
            return flow.to_client.push(failure(&id, &error));
        }
        if method == "server/discover" {
            return flow.answer(&id, &hello.discovered);
        }
        if REFUSED.contains(&method) {
            let reason = format!("{method} cannot be translated from revision {MODERN} to {}.", hello.revision);
            return flow.refuse(&id, UNKNOWN_METHOD, &reason);
        }
        if method == "subscriptions/listen" {
            let opened = self.listeners.open(&id, &params.to_text(), &hello.capabilities, flow);
            return match opened {
                Ok(uris) => {
                    for uri in &uris {
                        self.own("resources/subscribe", &resource(uri), flow);
                    }
                }
                Err(reason) => flow.refuse(&id, INVALID_PARAMS, reason),
            };
        }
        meta.remove(CLIENT);
        let capabilities = meta.remove(CAPABILITIES).map_or_else(|| "{}".to_owned(), Into::into);
        let level = meta.remove(LOG_LEVEL).filter(|_| members(&hello.capabilities).get("logging").is_some());
        let is_cached = CACHED.contains(&method);
        let mut kind = Kind::Other { is_cached };
        let mut running = None;
        if ASKING.contains(&method) {
            let call = self.questions.hash(method, &params);
            let responses = params.remove("inputResponses");
            if let Some(state) = params.remove("requestState") {
                let state: String = serde_json::from_str(&state).unwrap_or_default();
                let responses = responses.as_deref().map(members).unwrap_or_default();
                match self.questions.repeat(&id, (&state, call), &responses, flow) {
                    Repeated::Running(at_server) => running = Some(at_server),
                    Repeated::Answered(answer) => return self.finish(&id, is_cached, &answer, flow),
                    Repeated::New => {}
                    Repeated::Asked => return,
                    Repeated::Unknown => {
                        let reason = "The state of the request is not valid or has expired.";
                        return flow.refuse(&id, INVALID_PARAMS, reason);
                    }
                }
            }
            // A question of the server may have come before the call, or while it was suspended.
            if self.questions.ask_loose(&id, (call, running.as_ref()), &capabilities, flow) {
                return;
            }
            kind = Kind::Asking { is_cached, call, capabilities };
        }
        let request = Request { kind, client: Some(id.clone()), has_level: level.is_some() };
        if let Some(at_server) = running {
            self.ids.insert(id, at_server.clone());
            if let Some(suspended) = self.requests.get_mut(&at_server) {
                suspended.client = request.client;
            }
            return;
        }
        if let Some(level) = level.filter(|level| **level != *self.level) {
            self.level = level.clone().into_owned();
            self.own("logging/setLevel", &format!(r#"{{"level":{level}}}"#), flow);
        }
        let meta = meta.to_text();
        if meta != "{}" {
            params.set("_meta", meta);
        }
        let at_server = self.send(request, method, &params.to_text(), flow);
        self.ids.insert(id, at_server);
    }

    /// Sends a request of the proxy whose result does not matter.
    fn own(&mut self, method: &str, params: &str, flow: &mut Flow) {
        self.send(Request { kind: Kind::Own, client: None, has_level: false }, method, params, flow);
    }

    fn send(&mut self, request: Request, method: &str, params: &str, flow: &mut Flow) -> RequestId {
        self.count += 1;
        let id = RequestId::Number(self.count);
        self.logging += usize::from(request.has_level);
        flow.ask(&id, method, params);
        self.requests.insert(id.clone(), request);
        id
    }

    fn cancelled(&mut self, params: &str, flow: &mut Flow) {
        let Some(id) = cancelled(params) else { return };
        if let Some(uris) = self.listeners.close(&id) {
            for uri in &uris {
                self.own("resources/unsubscribe", &resource(uri), flow);
            }
        } else if let Some(at_server) = self.ids.get(&id) {
            let reason = members(params).string("reason").unwrap_or_default();
            flow.to_server.push(cancellation(at_server, &reason));
        }
    }

    /// Translates a message of the server.
    pub(super) fn server(&mut self, frame: Frame, flow: &mut Flow) {
        self.questions.expire(Instant::now(), flow);
        match frame.message() {
            Message::Response { id, answer } => self.answered(&id, &frame, answer, flow),
            Message::Request { id, method: "ping", .. } => flow.to_server.push(response(&id, "{}")),
            Message::Request { id, method, params } if is_question(method) => self.question(id, method, params, flow),
            Message::Request { id, method, .. } => {
                let reason = format!("{method} cannot be translated to revision {MODERN}.");
                flow.to_server.push(error(&id, UNKNOWN_METHOD, &reason));
            }
            Message::Notification { method, params } => match method {
                // Without a level in a request, the client gets no messages.
                "notifications/message" if self.logging == 0 => {}
                "notifications/elicitation/complete" => {}
                // A client of this revision cannot have a task at such a server.
                method if method.starts_with("notifications/tasks/") => {}
                "notifications/cancelled" => {
                    if let Some(id) = cancelled(params) {
                        self.questions.take_back(&id);
                    }
                }
                method if self.listeners.notify(method, params, flow) => {}
                _ => flow.to_client.push(frame),
            },
            Message::Error => flow.to_client.push(frame),
        }
    }

    #[cfg(test)]
    pub(super) fn entries(&self) -> Vec<usize> {
        vec![self.requests.len(), self.ids.len(), self.logging]
    }

    /// Returns `true` while messages of the client wait.
    pub(super) fn is_waiting(&self) -> bool {
        matches!(self.handshake, Handshake::Open(_))
    }
}
