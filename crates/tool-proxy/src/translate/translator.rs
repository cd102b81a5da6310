//! The first messages of a connection, which show the revisions of both sides, and the translation that follows from them: [`Translator`].

use std::time::Duration;

use rmcp::model::RequestId;
use tokio::time::Instant;

use super::super::call::cancelled;
use super::super::message::{Answer, Message};
use super::super::settings::Translation;
use super::earlier::{info, result_type};
use super::flow::{Flow, MODERN, UNSUPPORTED_REVISION, code, complete_meta, has_complete_meta, members, version};
use super::held::Held;
use super::legacy::{LegacyClient, REVISIONS};
use super::modern::ModernClient;

/// The errors of servers that speak revision 2026-07-28 or a later one.
const MODERN_ERRORS: std::ops::RangeInclusive<i32> = UNSUPPORTED_REVISION..=-32_020;

/// The requests whose answer shows the revision of the server, and which change nothing at a server that needs a handshake.
const LISTS: [&str; 4] = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];

/// The time after which the next line of the client no longer waits for an answer that shows the revision of the server.
const PATIENCE: Duration = Duration::from_secs(5);

/// The translation of the lines between the proxy and one server.
pub(super) struct Translator {
    setting: Translation,
    pub(super) state: State,
}

pub(super) enum State {
    /// The client has not sent a request that shows its revision. `true` if the server is known to need a handshake.
    New(bool),
    /// The server has not answered the first request of the client, or a request of the proxy with which it finds out the revision of the server.
    Asked(Asked),
    /// Both sides speak the same revision.
    Same,
    Modern(Box<ModernClient>),
    Legacy(Box<LegacyClient>),
}

pub(super) struct Asked {
    id: RequestId,
    first: First,
    held: Held,
    since: Instant,
}

impl Asked {
    fn new(id: RequestId, first: First, held: Held) -> Self {
        Self { id, first, held, since: Instant::now() }
    }

    /// Returns `true` if the next line ends the wait. Before the end of its handshake, a client has nothing else to send.
    fn is_late(&self) -> bool {
        !matches!(self.first, First::Initialize(_)) && self.since.elapsed() >= PATIENCE
    }
}

enum First {
    /// The client's `server/discover`, with its line.
    Discover(String),
    /// The client's request for a list in revision 2026-07-28, with its line.
    List(String),
    /// A `server/discover` of the proxy after the answer to such a request, with the lines of the request and of its answer.
    Listed(String, String),
    /// A `server/discover` of the proxy, before another request of revision 2026-07-28, which waits with its line.
    Probe(String),
    /// The client's handshake, with its line.
    Initialize(String),
    /// A `server/discover` of the proxy after the server has refused the handshake, with the lines of the handshake and of the refusal.
    Refused(String, String),
}

impl Translator {
    pub(super) fn new(setting: Translation) -> Self {
        let state = if setting == Translation::Never { State::Same } else { State::New(false) };
        Self { setting, state }
    }

    /// Returns `true` if every further line is forwarded unchanged.
    pub(super) fn is_same(&self) -> bool {
        matches!(self.state, State::Same)
    }

    /// Returns `true` while lines of the client wait for an answer of the server.
    pub(super) fn is_waiting(&self) -> bool {
        match &self.state {
            State::Asked(_) => true,
            State::Modern(client) => client.is_waiting(),
            State::New(_) | State::Same | State::Legacy(_) => false,
        }
    }

    /// Translates a line of the client.
    pub(super) fn client_line(&mut self, line: &str, flow: &mut Flow) {
        match &mut self.state {
            State::Same => flow.to_server.push(line.to_owned()),
            State::Modern(client) => client.client_line(line, flow),
            State::Legacy(client) => client.client_line(line, flow),
            State::New(needs_handshake) => {
                let needs_handshake = *needs_handshake;
                self.first_line(line, needs_handshake, flow);
            }
            State::Asked(asked) if asked.is_late() => {
                self.stop_waiting(flow);
                self.client_line(line, flow);
            }
            State::Asked(asked) => match Message::of(line) {
                // The client has waited long enough for `server/discover`.
                Ok(Message::Request { method, .. }) if method == "initialize" => self.give_up(true, Some(line), flow),
                Ok(Message::Notification { method, params }) if method == "notifications/cancelled" => {
                    let id = cancelled(params);
                    if id.as_ref().is_some_and(|id| asked.held.cancel(id)) {
                        // The server does not know the request, and must not run it later.
                        return;
                    }
                    flow.to_server.push(line.to_owned());
                    let is_first = id.is_some_and(|id| id == asked.id);
                    if is_first && matches!(asked.first, First::Discover(_) | First::List(_)) {
                        // The server need not answer any more.
                        self.give_up(false, None, flow);
                    }
                }
                _ => asked.held.hold(line, flow),
            },
        }
    }

    fn first_line(&mut self, line: &str, needs_handshake: bool, flow: &mut Flow) {
        let Ok(Message::Request { id, method, params }) = Message::of(line) else {
            return flow.to_server.push(line.to_owned());
        };
        let version = version(params);
        // Revisions are dates, so their order is that of their texts.
        let is_modern = version.as_deref().is_some_and(|version| version >= MODERN);
        let (id, first) = match &*method {
            "initialize" => (id, First::Initialize(line.to_owned())),
            "server/discover" if !needs_handshake => (id, First::Discover(line.to_owned())),
            _ if is_modern && needs_handshake => return self.begin(params, &[line], flow),
            method if is_modern && LISTS.contains(&method) => (id, First::List(line.to_owned())),
            _ if is_modern => {
                let meta = complete_meta(params);
                return self.probe(&meta, First::Probe(line.to_owned()), Held::default(), flow);
            }
            // The server refuses an unknown revision; this says nothing about other clients of the same process.
            _ if version.is_some() => return flow.to_server.push(line.to_owned()),
            "ping" => return flow.to_server.push(line.to_owned()),
            _ => {
                self.state = State::Same;
                return flow.to_server.push(line.to_owned());
            }
        };
        flow.to_server.push(line.to_owned());
        self.state = State::Asked(Asked::new(id, first, Held::default()));
    }

    /// Asks the server for its revisions.
    fn probe(&mut self, params: &str, first: First, held: Held, flow: &mut Flow) {
        let id = RequestId::String("toolbox-revision".into());
        flow.ask(&id, "server/discover", params);
        self.state = State::Asked(Asked::new(id, first, held));
    }

    /// Begins to translate for a client of revision 2026-07-28. `lines` are its first lines.
    fn begin(&mut self, params: &str, lines: &[&str], flow: &mut Flow) {
        let mut client = ModernClient::begin(params, flow);
        for line in lines {
            client.client_line(line, flow);
        }
        self.state = State::Modern(Box::new(client));
    }

    /// Forwards the lines that wait, and a line after them, without the answer of the server.
    fn give_up(&mut self, needs_handshake: bool, line: Option<&str>, flow: &mut Flow) {
        let given_up = std::mem::replace(&mut self.state, State::New(needs_handshake));
        if let State::Asked(Asked { held, .. }) = given_up {
            if needs_handshake {
                held.release(|line| flow.to_server.push(line.to_owned()));
            } else {
                held.release(|line| self.client_line(line, flow));
            }
        }
        if let Some(line) = line {
            self.client_line(line, flow);
        }
    }

    /// Forwards the lines that wait. A server that answers no `server/discover` gets them unchanged, because nothing shows that it needs a
    /// translation.
    fn stop_waiting(&mut self, flow: &mut Flow) {
        let State::Asked(Asked { first, held, .. }) = std::mem::replace(&mut self.state, State::Same) else { return };
        match first {
            First::Discover(_) | First::List(_) => self.state = State::New(false),
            First::Probe(request) => flow.to_server.push(request),
            First::Listed(_, answer) | First::Refused(_, answer) => flow.to_client.push(answer),
            First::Initialize(_) => {}
        }
        held.release(|line| self.client_line(line, flow));
    }

    /// Translates a line of the server.
    pub(super) fn server_line(&mut self, line: &str, flow: &mut Flow) {
        match &mut self.state {
            State::Modern(client) => client.server_line(line, flow),
            State::Legacy(client) => client.server_line(line, flow),
            State::Same | State::New(_) => flow.to_client.push(line.to_owned()),
            State::Asked(asked) => match Message::of(line) {
                Ok(Message::Response { id, answer }) if id == asked.id => self.decide(line, answer, flow),
                _ => flow.to_client.push(line.to_owned()),
            },
        }
    }

    /// Uses the answer that shows the revision of the server.
    fn decide(&mut self, line: &str, answer: Answer<'_>, flow: &mut Flow) {
        let State::Asked(Asked { first, held, .. }) = std::mem::replace(&mut self.state, State::Same) else { return };
        let is_modern = match answer {
            Answer::Result(_) => true,
            Answer::Error(error) => code(error).is_some_and(|code| MODERN_ERRORS.contains(&code)),
        };
        match first {
            First::Initialize(request) if matches!(answer, Answer::Error(_)) && proposes_legacy(&request) => {
                let Ok(Message::Request { params, .. }) = Message::of(&request) else { return };
                let params = format!(r#"{{"_meta":{}}}"#, info(params));
                return self.probe(&params, First::Refused(request, line.to_owned()), held, flow);
            }
            First::Initialize(_) => flow.to_client.push(line.to_owned()),
            First::Refused(request, refusal) => {
                let begun = match (Message::of(&request), answer) {
                    (Ok(Message::Request { id, params, .. }), Answer::Result(discovered)) => {
                        LegacyClient::begin(&id, params, discovered, flow)
                    }
                    _ => None,
                };
                match begun {
                    Some(client) => self.state = State::Legacy(Box::new(client)),
                    None => flow.to_client.push(refusal),
                }
            }
            First::Discover(_) if is_modern => flow.to_client.push(line.to_owned()),
            First::Discover(request) if self.setting == Translation::Always => {
                if let Ok(Message::Request { params, .. }) = Message::of(&request) {
                    self.begin(params, &[&request], flow);
                }
            }
            First::Discover(request) => {
                flow.to_client.push(line.to_owned());
                // A server of revision 2026-07-28 refuses an incomplete request too.
                let is_known =
                    matches!(Message::of(&request), Ok(Message::Request { params, .. }) if has_complete_meta(params));
                if is_known {
                    flow.remark(
                        "the server speaks an earlier revision than 2026-07-28; if the client cannot, set translate = \"always\"",
                    );
                }
                self.state = State::New(is_known);
            }
            First::List(request) => {
                // A server of an earlier revision may answer without a handshake, but its results have no type.
                let has_type = matches!(answer, Answer::Result(result) if result_type(result).is_some());
                if has_type || (is_modern && matches!(answer, Answer::Error(_))) {
                    flow.to_client.push(line.to_owned());
                } else if let Ok(Message::Request { params, .. }) = Message::of(&request) {
                    let meta = complete_meta(params);
                    return self.probe(&meta, First::Listed(request, line.to_owned()), held, flow);
                }
            }
            First::Listed(_, answered) if is_modern => flow.to_client.push(answered),
            First::Probe(request) if is_modern => flow.to_server.push(request),
            First::Probe(request) | First::Listed(request, _) => {
                if let Ok(Message::Request { params, .. }) = Message::of(&request) {
                    self.begin(params, &[&request], flow);
                }
            }
        }
        held.release(|line| self.client_line(line, flow));
    }

    /// Translates the end of a line of the server that was too long. Returns `false` if the guard has to know the line itself.
    pub(super) fn too_long(&mut self, id: &RequestId, flow: &mut Flow) -> bool {
        match &mut self.state {
            State::Legacy(client) => {
                client.lost(id, "The answer of the server is too long.", flow);
                true
            }
            State::Modern(client) => {
                client.lost(id, "The answer of the server is too long.", flow);
                true
            }
            _ => false,
        }
    }
}

/// Returns `true` if a handshake proposes a revision that has one.
fn proposes_legacy(request: &str) -> bool {
    let Ok(Message::Request { params, .. }) = Message::of(request) else { return false };
    let proposed = members(params).string("protocolVersion");
    proposed.is_some_and(|proposed| REVISIONS.contains(&&*proposed))
}
