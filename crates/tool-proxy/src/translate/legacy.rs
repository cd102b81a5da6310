//! A client of an earlier revision with a server of revision 2026-07-28: [`LegacyClient`].
//!
//! The handshake is answered with what the server says about itself in `server/discover`. After it, each request gets the members of `_meta` that the server
//! requires. If the server answers a call with questions, the client is asked, and the call is repeated with its answers.
//!
//! Invariants: each request of the client gets one answer; a call is repeated only because the server has asked for that, and a limited number of
//! times.

use std::collections::HashMap;

use rmcp::model::RequestId;

use super::super::asked::INTERNAL;
use super::super::frame::{Answer, Frame, Message};
use super::super::open::Table;
use super::super::parts::cancelled;
use super::super::writing::{cancellation, failure, json_object};
use super::earlier::{earlier, info, result_type};
use super::flow::{
    CAPABILITIES, CLIENT, Flow, LEGACY, LOG_LEVEL, MODERN, Remark, SERVER, UNKNOWN_METHOD, VERSION, members, meta_of,
};
use super::questions::ASKING;
use crate::private::bounded;

/// The revisions with a handshake.
pub(super) const REVISIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", LEGACY];

/// The changes that a client of an earlier revision gets without asking: the capability of the server, and the name in a subscription.
const CHANGES: [(&str, &str); 3] =
    [("tools", "toolsListChanged"), ("prompts", "promptsListChanged"), ("resources", "resourcesListChanged")];

pub(super) struct LegacyClient {
    /// The members of `_meta` of each request, without the log level.
    info: String,
    pub(super) capabilities: String,
    /// The log level as JSON text.
    level: Option<String>,
    /// The revision that the client has proposed.
    pub(super) revision: &'static str,
    /// The names of the changes that the server announces.
    pub(super) changes: Vec<&'static str>,
    pub(super) requests: Table<RequestId, Request>,
    /// The ids at the server of the client's open requests.
    pub(super) ids: Table<RequestId, RequestId>,
    /// The questions that the client has not answered, with the call and the name of each.
    pub(super) questions: HashMap<RequestId, (u64, String)>,
    /// The calls whose questions the client has not answered.
    pub(super) rounds: HashMap<u64, Round>,
    /// The subscriptions of the proxy, by resource.
    pub(super) resources: HashMap<String, RequestId>,
    pub(super) count: u64,
}

/// A request that the server has to answer.
pub(super) enum Request {
    /// A request of the proxy whose result does not matter.
    Own,
    /// A subscription to a resource, with the client's id of the request until it is acknowledged.
    Resource(Option<RequestId>, String),
    Other {
        client: RequestId,
    },
    Call {
        client: RequestId,
        call: Call,
    },
}

/// A call that the server may answer with questions.
pub(super) struct Call {
    pub(super) method: String,
    /// The parameters, without `_meta` of the later revision.
    pub(super) params: String,
    pub(super) rounds: u32,
}

/// A call whose questions the client answers.
pub(super) struct Round {
    pub(super) client: RequestId,
    pub(super) call: Call,
    /// The state of the server as JSON text.
    pub(super) state: Option<String>,
    pub(super) answers: Vec<(String, String)>,
    pub(super) missing: usize,
}

impl LegacyClient {
    /// Answers the client's handshake. `initialize` are the parameters of the client, `discovered` is the answer of the server. Returns `None` if the
    /// server does not speak revision 2026-07-28.
    pub(super) fn begin(id: &RequestId, initialize: &str, discovered: &str, flow: &mut Flow) -> Option<Self> {
        let (hello, server) = (members(initialize), members(discovered));
        let versions: Vec<String> = serde_json::from_str(server.get("supportedVersions")?).ok()?;
        if !versions.iter().any(|version| version == MODERN) {
            return None;
        }
        let proposed = hello.string("protocolVersion").unwrap_or_default();
        let revision = REVISIONS.iter().find(|revision| **revision == proposed).copied().unwrap_or(LEGACY);
        let mut capabilities = server.get("capabilities").map(members).unwrap_or_default();
        capabilities.remove("extensions");
        let announces = |capability: &str| {
            capabilities.get(capability).is_some_and(|own| members(own).get("listChanged") == Some("true"))
        };
        let changes = CHANGES.iter().filter(|(capability, _)| announces(capability)).map(|(_, name)| *name).collect();
        let result = json_object(|result| {
            result.string("protocolVersion", revision);
            result.written("capabilities", &capabilities.to_text());
            let meta = meta_of(&server);
            result.written("serverInfo", meta.get(SERVER).unwrap_or(r#"{"name":"unknown","version":"0"}"#));
            if let Some(instructions) = server.get("instructions") {
                result.written("instructions", instructions);
            }
        });
        flow.answer(id, &result);
        flow.remark(format!("the client speaks revision {revision}, and the server {MODERN}; messages are translated"));
        Some(Self {
            info: info(initialize),
            capabilities: hello.get("capabilities").unwrap_or("{}").to_owned(),
            level: None,
            revision,
            changes,
            requests: Table::default(),
            ids: Table::default(),
            questions: HashMap::new(),
            rounds: HashMap::new(),
            resources: HashMap::new(),
            count: 0,
        })
    }

    /// Translates a message of the client.
    pub(super) fn client(&mut self, frame: Frame, flow: &mut Flow) {
        match frame.message() {
            Message::Request { id, method, params } => self.request(id, method, params, flow),
            Message::Response { id, answer } => self.decided(&id, answer, flow),
            Message::Notification { method, params } => match method {
                "notifications/initialized" => self.initialized(flow),
                "notifications/cancelled" => self.cancelled(params, flow),
                "notifications/roots/list_changed" | "notifications/progress" => {}
                _ => flow.to_server.push(frame),
            },
            Message::Error => {}
        }
    }

    fn request(&mut self, id: RequestId, method: &str, params: &str, flow: &mut Flow) {
        match method {
            "ping" => return flow.answer(&id, "{}"),
            "logging/setLevel" => {
                self.level = members(params).get("level").map(str::to_owned);
                return flow.answer(&id, "{}");
            }
            "resources/subscribe" => return self.subscribe(id, params, flow),
            "resources/unsubscribe" => return self.unsubscribe(&id, params, flow),
            "initialize" => return self.refuse(&id, method, flow),
            _ if method.starts_with("tasks/") || method == "subscriptions/listen" => {
                return self.refuse(&id, method, flow);
            }
            _ => {}
        }
        let at_server = if ASKING.contains(&method) {
            let call = Call { method: method.to_owned(), params: params.to_owned(), rounds: 0 };
            let text = self.params(params, &[]);
            self.send(Request::Call { client: id.clone(), call }, method, &text, flow)
        } else {
            let text = self.params(params, &[]);
            self.send(Request::Other { client: id.clone() }, method, &text, flow)
        };
        self.ids.insert(id, at_server);
    }

    fn refuse(&self, id: &RequestId, method: &str, flow: &mut Flow) {
        let reason = format!("{method} cannot be translated from revision {} to {MODERN}.", self.revision);
        flow.refuse(id, UNKNOWN_METHOD, &reason);
    }

    /// Returns parameters with the members of `_meta` that the server requires, and further members.
    pub(super) fn params(&self, params: &str, more: &[(&'static str, String)]) -> String {
        let mut params = members(params);
        let meta = {
            let (mut meta, info) = (meta_of(&params), members(&self.info));
            for name in [VERSION, CLIENT, CAPABILITIES] {
                if let Some(value) = info.get(name) {
                    meta.set(name, value.to_owned());
                }
            }
            if let Some(level) = &self.level {
                meta.set(LOG_LEVEL, level.clone());
            }
            meta.to_text()
        };
        params.set("_meta", meta);
        for (name, value) in more {
            params.set(name, value.clone());
        }
        params.to_text()
    }

    pub(super) fn send(&mut self, request: Request, method: &str, params: &str, flow: &mut Flow) -> RequestId {
        self.count += 1;
        let id = RequestId::Number(i64::try_from(self.count).unwrap_or(i64::MAX));
        flow.ask(&id, method, params);
        self.requests.insert(id.clone(), request);
        id
    }

    fn cancelled(&mut self, params: &str, flow: &mut Flow) {
        let Some(id) = cancelled(params) else { return };
        if let Some(at_server) = self.ids.get(&id) {
            let reason = members(params).string("reason").unwrap_or_default();
            flow.to_server.push(cancellation(at_server, &reason));
        }
        let rounds = self.rounds.iter().find(|(_, round)| round.client == id).map(|(number, _)| *number);
        if let Some(number) = rounds {
            self.end_round(number, flow);
        }
    }

    /// Translates a message of the server.
    pub(super) fn server(&mut self, frame: Frame, flow: &mut Flow) {
        match frame.message() {
            Message::Response { id, answer } => self.answered(&id, answer, flow),
            // A server of this revision sends no requests, so the guard refuses or forwards them.
            Message::Request { .. } | Message::Error => flow.to_client.push(frame),
            Message::Notification { method, params } => self.notified(method, params, &frame, flow),
        }
    }

    #[cfg(test)]
    pub(super) fn entries(&self) -> Vec<usize> {
        let Self { requests, ids, questions, rounds, resources, .. } = self;
        vec![requests.len(), ids.len(), questions.len(), rounds.len(), resources.len()]
    }

    fn answered(&mut self, id: &RequestId, answer: Answer<'_>, flow: &mut Flow) {
        match self.requests.remove(id) {
            None => flow.remarks.push(Remark::Stray),
            Some(Request::Own) => {}
            Some(Request::Resource(client, uri)) => {
                self.resources.remove(&uri);
                match (client, answer) {
                    (Some(client), Answer::Error(error)) => flow.to_client.push(failure(&client, error)),
                    (Some(client), Answer::Result(_)) => flow.answer(&client, "{}"),
                    (None, _) => {}
                }
            }
            Some(Request::Other { client }) => self.finish(&client, answer, flow),
            Some(Request::Call { client, call }) => match answer {
                Answer::Result(result) if result_type(result).as_deref() == Some("input_required") => {
                    self.ids.remove(&client);
                    self.ask(client, call, result, flow);
                }
                answer => self.finish(&client, answer, flow),
            },
        }
    }

    /// Answers a request of the client.
    fn finish(&mut self, client: &RequestId, answer: Answer<'_>, flow: &mut Flow) {
        self.ids.remove(client);
        match answer {
            Answer::Error(error) => flow.to_client.push(failure(client, error)),
            Answer::Result(result) => match result_type(result).as_deref() {
                None | Some("complete") => flow.answer(client, &earlier(result)),
                Some(kind) => {
                    let reason = format!(
                        "The server has answered with {}, which revision {} does not have.",
                        bounded::name(kind),
                        self.revision
                    );
                    flow.refuse(client, INTERNAL, &reason);
                }
            },
        }
    }
}
