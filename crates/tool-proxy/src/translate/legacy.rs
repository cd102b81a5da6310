//! A client of an earlier protocol version with a server of protocol version 2026-07-28: [`LegacyClient`].
//!
//! The handshake is answered with what the server says about itself in `server/discover`. After it, each request gets the members of `_meta` that the server
//! requires. If the server answers a call with questions, the client is asked, and the call is repeated with its answers.
//!
//! Invariants: each request of the client gets one answer; a call is repeated only because the server has asked for that, and a limited number of
//! times.
//!
//! The client gets changes of lists without asking, and asks for single resources. The server sends only what a subscription asks for.

use std::collections::HashMap;

use rmcp::model::RequestId;

use crate::frame::{Answer, Frame, Message, json_id};
use crate::members::{CAPABILITIES, LOG_LEVEL, SERVER, SUBSCRIPTION, announced_lists, cancelled, member, parsed};
use crate::own_messages::{INTERNAL, METHOD_NOT_FOUND, cancellation, failure, json_object, json_string, request};
use crate::private::bounded;
use crate::request_table::Table;
use crate::translate::output::{Cancelled, LEGACY, MODERN, Translated, members};
use crate::translate::questions::{ASKING, accepts};
use crate::translate::version_differences::{compatible, info, result_type, with_meta, without};

/// The revisions with a handshake.
const REVISIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", LEGACY];

/// The maximum number of times that a call is repeated.
const MOST_ROUNDS: u32 = 10;

/// The maximum number of questions in one answer.
const MOST_QUESTIONS: usize = 100;

/// The maximum number of resources that the client has subscribed to.
const MOST_RESOURCES: usize = 1_000;

#[derive(Default)]
pub(super) struct LegacyClient {
    /// The members of `_meta` of each request, without the log level.
    info: String,
    /// The log level as JSON text.
    level: Option<String>,
    /// The revision that the client has proposed.
    revision: &'static str,
    /// The lists whose changes the server announces. The client gets reports of them without asking.
    changes: Vec<&'static str>,
    requests: Table<RequestId, Request>,
    /// The ids at the server of the client's open requests.
    ids: Table<RequestId, RequestId>,
    /// The questions that the client has not answered, with the client's id of the call and the name of each.
    questions: HashMap<RequestId, (RequestId, String)>,
    /// The calls whose questions the client has not answered, by the client's ids.
    input_rounds: Table<RequestId, InputRound>,
    /// The subscriptions of the proxy, by resource.
    resources: HashMap<String, RequestId>,
    cancelled: Cancelled,
    count: i64,
}

/// Returns the revision with a handshake that the parameters of `initialize` propose.
pub(super) fn proposed(initialize: &str) -> Option<&'static str> {
    let proposed: String = parsed(initialize, "protocolVersion")?;
    REVISIONS.into_iter().find(|revision| *revision == proposed)
}

/// A request that the server has to answer.
enum Request {
    /// A request of the proxy whose result does not matter.
    Own,
    /// A subscription to a resource, with the client's id of the request until it is acknowledged.
    Resource(Option<RequestId>, String),
    /// A request of the client. The server may answer a call with questions.
    Client(RequestId, Option<Call>),
}

/// A call that the server may answer with questions.
struct Call {
    method: String,
    /// The parameters, without `_meta` of the later revision.
    params: String,
    input_rounds: u32,
}

/// A call whose questions the client answers.
struct InputRound {
    call: Call,
    /// The state of the server as JSON text.
    state: Option<String>,
    answers: Vec<(String, String)>,
    /// The number of questions.
    questions: usize,
}

impl LegacyClient {
    /// Answers the client's handshake. `initialize` are the parameters of the client, `discovered` is the answer of the server. Returns `None` if the
    /// server does not speak protocol version 2026-07-28, or the client proposes no earlier one.
    pub(super) fn begin(id: &RequestId, initialize: &str, discovered: &str, out: &mut Translated) -> Option<Self> {
        let versions: Vec<String> = parsed(discovered, "supportedVersions")?;
        if !versions.iter().any(|version| version == MODERN) {
            return None;
        }
        let revision = proposed(initialize)?;
        let capabilities = without(member(discovered, "capabilities"), &["extensions"]);
        let changes = announced_lists(&capabilities).collect();
        let result = json_object(|result| {
            result.string("protocolVersion", revision);
            result.escaped_json_text("capabilities", &capabilities);
            let info = member(discovered, "_meta").and_then(|meta| member(meta, SERVER));
            result.escaped_json_text("serverInfo", info.unwrap_or(r#"{"name":"unknown","version":"0"}"#));
            if let Some(instructions) = member(discovered, "instructions") {
                result.escaped_json_text("instructions", instructions);
            }
        });
        out.answer(id, &result);
        out.remarks.push(format!(
            "the client speaks protocol version {revision}, and the server {MODERN}; messages are translated"
        ));
        Some(Self { info: info(initialize), revision, changes, ..Self::default() })
    }

    /// Translates a message of the client.
    pub(super) fn client(&mut self, frame: Frame, out: &mut Translated) {
        match frame.message() {
            Message::Request { id, method, params } => self.request(id, method, params, out),
            Message::Response { id, answer } => self.decided(&id, answer, out),
            Message::Notification { method, params } => match method {
                "notifications/initialized" => self.initialized(out),
                "notifications/cancelled" => self.cancelled(params, out),
                "notifications/roots/list_changed" | "notifications/progress" => {}
                _ => out.to_server.push(frame),
            },
            Message::Error => {}
        }
    }

    fn request(&mut self, id: RequestId, method: &str, params: &str, out: &mut Translated) {
        match method {
            "ping" => return out.answer(&id, "{}"),
            "logging/setLevel" => {
                self.level = member(params, "level").map(str::to_owned);
                return out.answer(&id, "{}");
            }
            "resources/subscribe" => return self.subscribe(id, params, out),
            "resources/unsubscribe" => return self.unsubscribe(&id, params, out),
            _ if method.starts_with("tasks/") || ["initialize", "subscriptions/listen"].contains(&method) => {
                let from = self.revision;
                let reason = format!("{method} cannot be translated from protocol version {from} to {MODERN}.");
                return out.reject(&id, METHOD_NOT_FOUND, &reason);
            }
            _ => {}
        }
        let call = Call { method: method.to_owned(), params: params.to_owned(), input_rounds: 0 };
        let call = Some(call).filter(|_| ASKING.contains(&method));
        let at_server = self.send(Request::Client(id.clone(), call), method, params, out);
        self.ids.insert(id, at_server);
    }

    /// Sends a request with the members of `_meta` that the server requires. Returns its id.
    fn send(&mut self, kind: Request, method: &str, params: &str, out: &mut Translated) -> RequestId {
        let (mut params, info) = (members(params), members(&self.info));
        let mut meta = params.get("_meta").map(members).unwrap_or_default();
        info.iter().for_each(|(name, value)| meta.set(name, value));
        if let Some(level) = &self.level {
            meta.set(LOG_LEVEL, level);
        }
        let meta = meta.to_text();
        params.set("_meta", meta);
        self.count += 1;
        let id = RequestId::Number(self.count);
        out.to_server.push(request(&id, method, &params.to_text()));
        self.requests.insert(id.clone(), kind);
        id
    }

    fn cancelled(&mut self, params: &str, out: &mut Translated) {
        let Some(id) = cancelled(params) else { return };
        if let Some(at_server) = self.ids.remove(&id) {
            let reason: String = parsed(params, "reason").unwrap_or_default();
            self.cancel(at_server, &reason, out);
        }
        self.end_input_round(&id, out);
    }

    /// Cancels a request at the server, which need not answer any more.
    fn cancel(&mut self, at_server: RequestId, reason: &str, out: &mut Translated) {
        out.to_server.push(cancellation(&at_server, reason));
        if let Some(oldest) = self.cancelled.add(at_server) {
            self.requests.remove(&oldest);
        }
    }

    /// Translates a message of the server.
    pub(super) fn server(&mut self, frame: Frame, out: &mut Translated) {
        match frame.message() {
            Message::Response { id, answer } => self.answered(&id, answer, out),
            // A server of this revision sends no requests, so the guard rejects or forwards them.
            Message::Request { .. } | Message::Error => out.to_client.push(frame),
            Message::Notification { method, params } => self.notified(method, params, &frame, out),
        }
    }

    #[cfg(test)]
    pub(super) fn entries(&self) -> Vec<usize> {
        let Self { requests, ids, questions, input_rounds, resources, .. } = self;
        vec![requests.len(), ids.len(), questions.len(), input_rounds.len(), resources.len()]
    }

    fn answered(&mut self, id: &RequestId, answer: Answer<'_>, out: &mut Translated) {
        match self.requests.remove(id) {
            None => out.stray_answers += 1,
            Some(Request::Own) => {}
            Some(Request::Resource(client, uri)) => {
                self.resources.remove(&uri);
                match (client, answer) {
                    (Some(client), Answer::Error(error)) => out.to_client.push(failure(&client, error)),
                    (Some(client), Answer::Result(_)) => out.answer(&client, "{}"),
                    (None, _) => {}
                }
            }
            Some(Request::Client(client, call)) => {
                self.ids.remove(&client);
                let result = match answer {
                    Answer::Result(result) => result,
                    Answer::Error(error) => return out.to_client.push(failure(&client, error)),
                };
                match (result_type(result).as_deref(), call) {
                    (None | Some("complete"), _) => out.answer(&client, &compatible(result)),
                    (Some("input_required"), Some(call)) => self.ask(client, call, result, out),
                    (Some(kind), _) => {
                        let reason = format!(
                            "The server has answered with {}, which protocol version {} does not have.",
                            bounded::name(kind),
                            self.revision
                        );
                        out.reject(&client, INTERNAL, &reason);
                    }
                }
            }
        }
    }

    /// Asks the client the questions of a call, or repeats the call if there are none.
    fn ask(&mut self, client: RequestId, mut call: Call, result: &str, out: &mut Translated) {
        let capabilities = member(&self.info, CAPABILITIES).unwrap_or_default();
        let requests = members(member(result, "inputRequests").unwrap_or_default());
        call.input_rounds += 1;
        if call.input_rounds > MOST_ROUNDS || requests.iter().count() > MOST_QUESTIONS {
            return out.reject(&client, INTERNAL, "The server asks too many questions about the call.");
        }
        let state = member(result, "requestState").map(str::to_owned);
        let mut asked = Vec::new();
        for (name, request) in requests.iter() {
            let method: String = parsed(request, "method").unwrap_or_default();
            let mut params = member(request, "params").unwrap_or("{}").to_owned();
            if !accepts(capabilities, &method, &params) {
                let reason = format!(
                    "The server asks with {}, and the client has not declared in protocol version {} that it answers such requests.",
                    bounded::name(&method),
                    self.revision
                );
                return out.reject(&client, INTERNAL, &reason);
            }
            self.count += 1;
            let id = RequestId::String(format!("toolbox-revision-{}", self.count).into());
            let mut with_id = members(&params);
            if with_id.string("mode").as_deref() == Some("url") && with_id.get("elicitationId").is_none() {
                // The earlier protocol versions require this member.
                with_id.set("elicitationId", json_id(&id));
                params = with_id.to_text();
            }
            asked.push((id, name.to_owned(), method, params));
        }
        let round = InputRound { call, state, answers: Vec::new(), questions: asked.len() };
        for (id, name, method, params) in asked {
            out.to_client.push(request(&id, &method, &params));
            self.questions.insert(id, (client.clone(), name));
        }
        self.proceed(client, round, out);
    }

    /// Uses the client's answer to a question.
    fn decided(&mut self, id: &RequestId, answer: Answer<'_>, out: &mut Translated) {
        let Some((client, name)) = self.questions.remove(id) else { return };
        let Some(mut round) = self.input_rounds.remove(&client) else { return };
        match answer {
            Answer::Result(result) => {
                round.answers.push((name, result.to_owned()));
                self.proceed(client, round, out);
            }
            Answer::Error(error) => {
                self.end_input_round(&client, out);
                out.to_client.push(failure(&client, error));
            }
        }
    }

    /// Repeats a call with the answers of the client, once there are all.
    fn proceed(&mut self, client: RequestId, round: InputRound, out: &mut Translated) {
        if round.answers.len() < round.questions {
            self.input_rounds.insert(client, round);
            return;
        }
        let InputRound { call, state, answers, .. } = round;
        let mut params = members(&call.params);
        if !answers.is_empty() {
            let responses = json_object(|responses| {
                for (name, answer) in &answers {
                    responses.escaped_json_text(name, answer);
                }
            });
            params.set("inputResponses", responses);
        }
        if let Some(state) = state {
            params.set("requestState", state);
        }
        let (method, params) = (call.method.clone(), params.to_text());
        let at_server = self.send(Request::Client(client.clone(), Some(call)), &method, &params, out);
        self.ids.insert(client, at_server);
    }

    /// Forgets a call whose questions are not answered, and takes back its other questions.
    fn end_input_round(&mut self, client: &RequestId, out: &mut Translated) {
        self.input_rounds.remove(client);
        self.questions.retain(|id, (own, _)| {
            let stays = own != client;
            if !stays {
                out.to_client.push(cancellation(id, "The call has ended."));
            }
            stays
        });
    }

    /// Asks the server for the notifications that it announces.
    fn initialized(&mut self, out: &mut Translated) {
        if self.changes.is_empty() {
            return;
        }
        let filter: Vec<String> = self.changes.iter().map(|list| format!(r#""{list}ListChanged":true"#)).collect();
        self.listen(Request::Own, &filter.join(","), out);
    }

    fn subscribe(&mut self, id: RequestId, params: &str, out: &mut Translated) {
        let uri: String = parsed(params, "uri").unwrap_or_default();
        if self.resources.contains_key(&uri) {
            return out.answer(&id, "{}");
        }
        if self.resources.len() >= MOST_RESOURCES {
            return out.reject(&id, INTERNAL, "Too many resources are subscribed to.");
        }
        let filter = format!(r#""resourceSubscriptions":[{}]"#, json_string(&uri));
        let at_server = self.listen(Request::Resource(Some(id), uri.clone()), &filter, out);
        self.resources.insert(uri, at_server);
    }

    /// Asks the server for notifications. The filter is the members of an object.
    fn listen(&mut self, request: Request, filter: &str, out: &mut Translated) -> RequestId {
        let params = format!(r#"{{"notifications":{{{filter}}}}}"#);
        self.send(request, "subscriptions/listen", &params, out)
    }

    fn unsubscribe(&mut self, id: &RequestId, params: &str, out: &mut Translated) {
        let uri: String = parsed(params, "uri").unwrap_or_default();
        if let Some(at_server) = self.resources.remove(&uri) {
            // The client may subscribe again before the answer comes.
            let subscription = self.requests.insert(at_server.clone(), Request::Own);
            if let Some(Request::Resource(Some(client), _)) = subscription {
                out.answer(&client, "{}");
            }
            self.cancel(at_server, "The client has unsubscribed.", out);
        }
        out.answer(id, "{}");
    }

    fn notified(&mut self, method: &str, params: &str, frame: &Frame, out: &mut Translated) {
        let part = member(params, "_meta");
        let mut meta = members(part.unwrap_or_default());
        let subscription = meta.remove(SUBSCRIPTION);
        if method == "notifications/subscriptions/acknowledged" {
            let id = subscription.and_then(|id| serde_json::from_str::<RequestId>(&id).ok());
            if let Some(Request::Resource(client, _)) = id.and_then(|id| self.requests.get_mut(&id))
                && let Some(client) = client.take()
            {
                out.answer(&client, "{}");
            }
            return;
        }
        if method.starts_with("notifications/tasks") {
            // The client cannot have a task at such a server.
            return;
        }
        if subscription.is_none() {
            return out.to_client.push(frame.clone());
        }
        out.to_client.push(frame.with(with_meta(params, part, &meta).as_slice()));
    }
}
