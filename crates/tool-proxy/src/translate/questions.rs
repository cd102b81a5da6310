//! The questions that a server of an earlier protocol version asks during a call, for a client of protocol version 2026-07-28: [`Questions`].
//!
//! In the earlier protocol versions, a server sends a request to the client and waits. For the client, such a call ends with the question and a
//! state, and the client repeats the call with its answers. In the meantime, the call is suspended: the server still works on it.
//!
//! Invariants: a call is sent to the server once; the number of suspended calls, and the time that they wait, are bounded.

use std::collections::VecDeque;
use std::hash::BuildHasher;
use std::time::Duration;

use rmcp::model::RequestId;
use tokio::time::Instant;

use crate::frame::{Frame, json_id};
use crate::members::{can_show, member, parsed};
use crate::own_messages::{
    INTERNAL, INVALID_PARAMS, METHOD_NOT_FOUND, error, input_required, json_object, random_digits, response,
};
use crate::private::fast_hash::RandomHashState;
use crate::translate::output::Translated;

/// The methods that can be answered with questions.
pub(super) const ASKING: [&str; 3] = ["tools/call", "prompts/get", "resources/read"];
/// The requests of servers that can be questions, with the capabilities of the client.
const KINDS: [(&str, &str); 3] =
    [("elicitation/create", "elicitation"), ("sampling/createMessage", "sampling"), ("roots/list", "roots")];

/// The time that a client has to repeat a call.
const VALID: Duration = Duration::from_secs(600);
/// The maximum number of suspended calls and of questions outside of calls together.
const MOST: usize = 100;
/// The maximum number of bytes of a question, and of an answer that is kept until its call is repeated.
const LARGEST: usize = 1 << 20;

/// The calls that wait for answers of the client.
#[derive(Default)]
pub(super) struct Questions {
    /// The suspended calls, the oldest first.
    suspended: VecDeque<Suspended>,
    /// The questions that no call was answered with. The next call is.
    loose: Vec<Question>,
    hasher: RandomHashState,
}

/// A call whose client has to bring answers.
struct Suspended {
    state: String,
    call: Call,
    questions: Vec<Question>,
    until: Instant,
}

struct Call {
    /// The hash of the method and the parameters.
    hash: u64,
    /// The id of the call at the server; `None` if the server does not know the call yet.
    at_server: Option<RequestId>,
    /// The answer of the server that has come in the meantime.
    answer: Option<Frame>,
}

struct Question {
    /// The id that the server has given to its request.
    id: RequestId,
    name: String,
    /// The method and the parameters, as JSON text.
    request: String,
}

/// A repeated call.
pub(super) enum Repeated {
    /// The server works on the call under this id; `None` if it does not know the call yet.
    Open(Option<RequestId>),
    /// The server has answered already.
    Answered(Frame),
    /// The client has got an answer: the missing questions again, or an error.
    Closed,
}

impl Questions {
    /// Returns the hash of a call, given the name, the arguments and the URI in its parameters.
    pub(super) fn hash(&self, method: &str, parts: [Option<&str>; 3]) -> u64 {
        // `_meta` may differ in each request.
        self.hasher.hash_one((method, parts))
    }

    /// Keeps a question of the server for a client with these capabilities, until a call is [answered](Self::ask) with it.
    pub(super) fn add(
        &mut self,
        (id, method, params): (RequestId, &str, &str),
        capabilities: &str,
        out: &mut Translated,
    ) {
        if !accepts(capabilities, method, params) {
            let reason = format!("{method}: the client has not declared that it answers such requests");
            return out.to_server.push(error(&id, METHOD_NOT_FOUND, &reason));
        }
        if self.loose.len() + self.suspended.len() >= MOST || params.len() > LARGEST {
            let reason = format!("{method}: too many questions are open, or this one is too long");
            return out.to_server.push(error(&id, INTERNAL, &reason));
        }
        let request = json_object(|request| {
            request.string("method", method);
            request.escaped_json_text("params", if params.is_empty() { "{}" } else { params });
        });
        self.loose.push(Question { name: format!("question-{}", json_id(&id)), id, request });
    }

    /// Answers a call with the questions of the server that no call was answered with, as far as its client accepts them. `at_server` is the id of the
    /// call if the server knows it already. Returns `true` if there are any; then the call is suspended.
    pub(super) fn ask(
        &mut self,
        client: &RequestId,
        (hash, at_server): (u64, Option<&RequestId>),
        capabilities: &str,
        out: &mut Translated,
    ) -> bool {
        let is_accepted = |question: &mut Question| {
            let method: String = parsed(&question.request, "method").unwrap_or_default();
            accepts(capabilities, &method, member(&question.request, "params").unwrap_or_default())
        };
        let accepted: Vec<Question> = self.loose.extract_if(.., is_accepted).collect();
        if accepted.is_empty() {
            return false;
        }
        self.suspend(client, Call { hash, at_server: at_server.cloned(), answer: None }, accepted, out);
        true
    }

    fn suspend(&mut self, client: &RequestId, call: Call, questions: Vec<Question>, out: &mut Translated) {
        let Some(digits) = random_digits() else {
            // Without random numbers, a state could be guessed.
            return out.reject(client, INTERNAL, "A question of the server cannot be asked.");
        };
        let state = format!("toolbox-revision-{digits}");
        let asked = questions.iter().map(|question| (&*question.name, &*question.request));
        out.to_client.push(input_required(client, asked, &state));
        let until = Instant::now() + VALID;
        self.suspended.push_back(Suspended { state, call, questions, until });
    }

    /// Continues a call that the client has repeated with a state and answers.
    pub(super) fn repeat(
        &mut self,
        client: &RequestId,
        (state, hash): (&str, u64),
        responses: &str,
        out: &mut Translated,
    ) -> Repeated {
        let found = |suspended: &Suspended| suspended.state == state && suspended.call.hash == hash;
        let position = self.suspended.iter().position(found);
        let Some(Suspended { call, mut questions, .. }) = position.and_then(|position| self.suspended.remove(position))
        else {
            out.reject(client, INVALID_PARAMS, "The state of the request is not valid or has expired.");
            return Repeated::Closed;
        };
        questions.retain(|question| {
            let result = member(responses, &question.name);
            out.to_server.extend(result.map(|result| response(&question.id, result)));
            result.is_none()
        });
        if !questions.is_empty() {
            self.suspend(client, call, questions, out);
            return Repeated::Closed;
        }
        call.answer.map_or(Repeated::Open(call.at_server), Repeated::Answered)
    }

    /// Keeps the server's answer to a call, if it is suspended.
    pub(super) fn keep(&mut self, at_server: &RequestId, answer: &Frame) {
        let found = |suspended: &&mut Suspended| suspended.call.at_server.as_ref() == Some(at_server);
        let Some(suspended) = self.suspended.iter_mut().find(found) else { return };
        suspended.call.answer = Some(if answer.line().len() <= LARGEST {
            answer.clone()
        } else {
            let reason = "The answer came while the server waited for an answer itself, and is too long to be kept.";
            error(at_server, INTERNAL, reason)
        });
    }

    /// Forgets a question that the server has taken back. The client may still answer it.
    pub(super) fn take_back(&mut self, id: &RequestId) {
        self.loose.retain(|question| question.id != *id);
    }

    /// Ends the suspended calls that the client has not repeated in time. Returns the ids of those on which the server still works.
    pub(super) fn expire(&mut self, out: &mut Translated) -> Vec<RequestId> {
        let mut running = Vec::new();
        while self.suspended.front().is_some_and(|suspended| suspended.until <= Instant::now())
            && let Some(Suspended { call, questions, .. }) = self.suspended.pop_front()
        {
            for question in questions {
                out.to_server.push(error(&question.id, INTERNAL, "The client has not answered in time."));
            }
            running.extend(call.at_server.filter(|_| call.answer.is_none()));
        }
        running
    }
}

/// Returns `true` if a request of a server can be a question.
pub(super) fn is_question(method: &str) -> bool {
    KINDS.iter().any(|(own, _)| *own == method)
}

/// Returns `true` if a client with these capabilities answers a request.
pub(super) fn accepts(capabilities: &str, method: &str, params: &str) -> bool {
    let capability = KINDS.iter().find(|(own, _)| *own == method).and_then(|(_, name)| member(capabilities, name));
    let Some(capability) = capability else { return false };
    match (method, parsed::<String>(params, "mode").as_deref()) {
        ("elicitation/create", Some("url")) => member(capability, "url").is_some(),
        ("elicitation/create", _) => can_show(capabilities),
        _ => true,
    }
}
