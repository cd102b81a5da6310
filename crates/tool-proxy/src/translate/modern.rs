//! A client of protocol version 2026-07-28 with a server of an earlier protocol version: [`ModernClient`].
//!
//! The handshake is made with the information of the client's first request. After it, each request loses the members of `_meta` that only
//! the later revision has, and each result gets the members that the later revision requires.
//!
//! Invariants: every request of the client is sent to the server at most once, and gets one answer; requests have ids of the proxy at the server.

use rmcp::model::RequestId;

use crate::frame::{Answer, Frame, Message, Splice, json_id};
use crate::members::{CAPABILITIES, CLIENT, LOG_LEVEL, VERSION, cancelled, has, parsed, pick};
use crate::own_messages::{
    INVALID_PARAMS, METHOD_NOT_FOUND, cancellation, error, failure, json_string, notification, request, response,
};
use crate::request_table::Table;
use crate::translate::output::{Backlog, Cancelled, LISTS, MODERN, Translated, UNSUPPORTED_REVISION, members};
use crate::translate::questions::{ASKING, Questions, Repeated, is_question};
use crate::translate::subscriptions::Listeners;
use crate::translate::version_differences::{ServerInfo, completed, initialize, with_meta};

/// The methods that only one of both revisions has, like those about tasks, which mean something else in the other one.
const REJECTED: [&str; 5] = ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"];

#[derive(Default)]
pub(super) struct ModernClient {
    /// The information of the server about itself, or the error with which it has rejected `initialize`. `None` until it has answered; before that, the
    /// server has no other request, and the messages of the client wait.
    server: Option<Result<ServerInfo, String>>,
    backlog: Backlog,
    requests: Table<RequestId, Request>,
    /// The ids at the server of the client's open requests.
    ids: Table<RequestId, RequestId>,
    cancelled: Cancelled,
    count: i64,
    questions: Questions,
    listeners: Listeners,
    /// The log level of the server; empty if it has not been set.
    level: String,
    /// The number of open requests with a log level.
    logging: usize,
    /// The capabilities in the first request of the client.
    capabilities: String,
}

/// A request that the server has to answer; the default is a request of the proxy whose result does not matter.
#[derive(Default)]
struct Request {
    /// The id that the client has given to the request; `None` for requests of the proxy and while a call is suspended.
    client: Option<RequestId>,
    has_level: bool,
    /// `true` if the result contains the time for which it is valid.
    is_cached: bool,
    /// The hash of a call that can be answered with questions, and the capabilities of its client.
    call: Option<(u64, String)>,
}

impl ModernClient {
    /// Begins the handshake. `first` are the parameters of the first request of the client.
    pub(super) fn begin(first: &str, out: &mut Translated) -> Self {
        let (hello, capabilities) = initialize(first);
        let mut client = Self { capabilities, ..Self::default() };
        client.own("initialize", &hello, out);
        client
    }

    /// Translates a message of the client.
    pub(super) fn client(&mut self, frame: Frame, out: &mut Translated) {
        self.expire(out);
        if self.is_waiting() {
            return self.backlog.hold(frame, out);
        }
        match frame.message() {
            Message::Request { id, method, params } => self.request(id, method, params, &frame, out),
            Message::Notification { method: "notifications/cancelled", params } => self.cancelled(params, out),
            Message::Notification { method, .. } if method.starts_with("notifications/roots") => {}
            Message::Notification { .. } => out.to_server.push(frame),
            // In protocol version 2026-07-28, clients do not answer requests.
            Message::Response { .. } | Message::Error => {}
        }
    }

    fn request(&mut self, id: RequestId, method: &str, params: &str, frame: &Frame, out: &mut Translated) {
        let hello = match &self.server {
            Some(Ok(hello)) => hello,
            Some(Err(reason)) => return out.to_client.push(failure(&id, reason)),
            None => return,
        };
        let names = ["_meta", "requestState", "inputResponses", "name", "arguments", "uri"];
        let [meta_text, state, responses, name, arguments, uri] = pick(params, names);
        let mut meta = members(meta_text.unwrap_or_default());
        let version = meta.remove(VERSION).and_then(|version| serde_json::from_str::<String>(&version).ok());
        if let Some(version) = version.filter(|version| version != MODERN) {
            let data = format!(r#"{{"supported":["{MODERN}"],"requested":{}}}"#, json_string(&version));
            let reason = json_string("Unsupported protocol version");
            let error = format!(r#"{{"code":{UNSUPPORTED_REVISION},"message":{reason},"data":{data}}}"#);
            return out.to_client.push(failure(&id, &error));
        }
        if method == "server/discover" {
            return out.answer(&id, &hello.discovered);
        }
        if REJECTED.contains(&method) || method.starts_with("tasks/") {
            let reason = format!("{method} cannot be translated from protocol version {MODERN} to {}.", hello.revision);
            return out.reject(&id, METHOD_NOT_FOUND, &reason);
        }
        if method == "subscriptions/listen" {
            return match self.listeners.open(&id, params, &hello.capabilities, out) {
                Ok(uris) => self.own_for("resources/subscribe", &uris, out),
                Err(reason) => out.reject(&id, INVALID_PARAMS, reason),
            };
        }
        meta.remove(CLIENT);
        let capabilities = meta.remove(CAPABILITIES).map_or_else(|| "{}".to_owned(), Into::into);
        let level = meta.remove(LOG_LEVEL).filter(|_| has(&hello.capabilities, "logging"));
        let mut request = Request {
            client: Some(id.clone()),
            has_level: level.is_some(),
            is_cached: LISTS.contains(&method) || method == "resources/read",
            call: None,
        };
        let mut running = None;
        if ASKING.contains(&method) {
            let call = self.questions.hash(method, [name, arguments, uri]);
            if let Some(state) = state {
                let state: String = serde_json::from_str(state).unwrap_or_default();
                match self.questions.repeat(&id, (&state, call), responses.unwrap_or_default(), out) {
                    Repeated::Open(at_server) => running = at_server,
                    Repeated::Answered(answer) => {
                        return out.to_client.push(completed(&id, request.is_cached, &answer));
                    }
                    Repeated::Closed => return,
                }
            }
            // A question of the server may have come before the call, or while it was suspended.
            if self.questions.ask(&id, (call, running.as_ref()), &capabilities, out) {
                return;
            }
            request.call = Some((call, capabilities));
        }
        if let Some(at_server) = running {
            self.ids.insert(id, at_server.clone());
            if let Some(suspended) = self.requests.get_mut(&at_server) {
                suspended.client = request.client;
            }
            return;
        }
        if let Some(level) = level.filter(|level| **level != *self.level) {
            self.level = level.clone().into_owned();
            self.own("logging/setLevel", &format!(r#"{{"level":{level}}}"#), out);
        }
        let is_repeated = request.call.is_some() && state.or(responses).is_some();
        let at_server = self.open(request);
        let id_splice = Splice { part: frame.id_text(), text: json_id(&at_server).into() };
        let splices: Vec<_> = with_meta(params, meta_text, &meta).into_iter().chain([id_splice]).collect();
        let mut frame = frame.with(&splices);
        if is_repeated {
            let mut params = members(frame.params());
            params.retain(|name| name != "inputResponses" && name != "requestState");
            frame = frame.with_part(frame.params(), &params.to_text());
        }
        out.to_server.push(frame);
        self.ids.insert(id, at_server);
    }

    /// Sends a request of the proxy.
    fn own(&mut self, method: &str, params: &str, out: &mut Translated) {
        let id = self.open(Request::default());
        out.to_server.push(request(&id, method, params));
    }

    /// Sends a request of the proxy for each of these resources.
    fn own_for(&mut self, method: &str, uris: &[String], out: &mut Translated) {
        for uri in uris {
            self.own(method, &format!(r#"{{"uri":{}}}"#, json_string(uri)), out);
        }
    }

    /// Opens a request at the server, and returns its id there.
    fn open(&mut self, request: Request) -> RequestId {
        self.count += 1;
        self.logging += usize::from(request.has_level);
        let id = RequestId::Number(self.count);
        self.requests.insert(id.clone(), request);
        id
    }

    fn cancelled(&mut self, params: &str, out: &mut Translated) {
        let Some(id) = cancelled(params) else { return };
        if let Some(uris) = self.listeners.close(&id) {
            self.own_for("resources/unsubscribe", &uris, out);
        } else if let Some(at_server) = self.ids.remove(&id) {
            let reason: String = parsed(params, "reason").unwrap_or_default();
            self.cancel(at_server, &reason, out);
        }
    }

    /// Cancels a request at the server, which need not answer any more.
    fn cancel(&mut self, at_server: RequestId, reason: &str, out: &mut Translated) {
        out.to_server.push(cancellation(&at_server, reason));
        if let Some(oldest) = self.cancelled.add(at_server).and_then(|oldest| self.requests.remove(&oldest)) {
            self.logging -= usize::from(oldest.has_level);
        }
    }

    /// Cancels the calls that the client has not repeated with answers in time.
    fn expire(&mut self, out: &mut Translated) {
        for at_server in self.questions.expire(out) {
            self.cancel(at_server, "The client has not repeated the call in time.", out);
        }
    }

    /// Translates a message of the server.
    pub(super) fn server(&mut self, frame: Frame, out: &mut Translated) {
        self.expire(out);
        match frame.message() {
            Message::Response { id, answer } => self.answered(&id, &frame, answer, out),
            Message::Request { id, method: "ping", .. } => out.to_server.push(response(&id, "{}")),
            Message::Request { id, method, params } if is_question(method) => self.question(id, method, params, out),
            Message::Request { id, method, .. } => {
                let reason = format!("{method} cannot be translated to protocol version {MODERN}.");
                out.to_server.push(error(&id, METHOD_NOT_FOUND, &reason));
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
                method if self.listeners.notify(method, params, out) => {}
                _ => out.to_client.push(frame),
            },
            Message::Error => out.to_client.push(frame),
        }
    }

    #[cfg(test)]
    pub(super) fn entries(&self) -> Vec<usize> {
        vec![self.requests.len(), self.ids.len(), self.logging]
    }

    /// Returns `true` while messages of the client wait.
    pub(super) fn is_waiting(&self) -> bool {
        self.server.is_none()
    }

    /// Asks the client a question of the server.
    fn question(&mut self, id: RequestId, method: &str, params: &str, out: &mut Translated) {
        // The protocol does not say to which call a question belongs, so the oldest one carries it.
        let open = self.requests.iter_mut().filter_map(|(at_server, request)| {
            let (call, capabilities) = request.call.as_ref().filter(|_| request.client.is_some())?;
            Some((at_server, *call, capabilities, &mut request.client))
        });
        let carrier = open.min_by_key(|(at_server, ..)| match at_server {
            RequestId::Number(number) => *number,
            RequestId::String(_) => i64::MAX,
        });
        let capabilities = carrier.as_ref().map_or(&self.capabilities, |(_, _, capabilities, _)| capabilities);
        self.questions.add((id, method, params), capabilities, out);
        if let Some((at_server, call, capabilities, client)) = carrier
            && let Some(client) =
                client.take_if(|client| self.questions.ask(client, (call, Some(at_server)), capabilities, out))
        {
            self.ids.remove(&client);
        }
    }

    fn answered(&mut self, id: &RequestId, frame: &Frame, answer: Answer<'_>, out: &mut Translated) {
        let Some(Request { client, has_level, is_cached, .. }) = self.requests.remove(id) else {
            out.stray_answers += 1;
            return;
        };
        if self.is_waiting() {
            return self.greeted(answer, out);
        }
        self.logging -= usize::from(has_level);
        match client {
            Some(client) => {
                self.ids.remove(&client);
                out.to_client.push(completed(&client, is_cached, frame));
            }
            None => self.questions.keep(id, frame),
        }
    }

    /// Ends the handshake, and sends the messages that wait for it.
    fn greeted(&mut self, answer: Answer<'_>, out: &mut Translated) {
        let server = match answer {
            Answer::Result(result) => Ok(ServerInfo::of(result)),
            Answer::Error(error) => Err(error.to_owned()),
        };
        if let Ok(ServerInfo { revision, .. }) = &server {
            out.remarks.push(format!(
                "the client speaks protocol version {MODERN}, and the server {revision}; messages are translated"
            ));
            out.to_server.push(notification("notifications/initialized", ""));
        }
        self.server = Some(server);
        let backlog = std::mem::take(&mut self.backlog);
        backlog.frames.into_iter().for_each(|frame| self.client(frame, out));
    }
}
