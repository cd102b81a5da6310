//! The questions with which a server of revision 2026-07-28 answers a call, for a client of an earlier revision.
//!
//! The client gets each question as a request of the server, and the call is repeated with the client's answers.

use std::collections::HashMap;

use rmcp::model::RequestId;

use super::super::asked::INTERNAL;
use super::super::frame::Answer;
use super::super::members::Members;
use super::super::writing::{cancellation, failure, json_id, json_object, request};
use super::flow::{Flow, members};
use super::legacy::{Call, LegacyClient, Request, Round};
use super::questions::accepts;
use crate::private::bounded;

/// The maximum number of times that a call is repeated.
const MOST_ROUNDS: u32 = 10;
/// The maximum number of questions in one answer.
const MOST_QUESTIONS: usize = 100;

impl LegacyClient {
    /// Asks the client the questions of a call, or repeats the call if there are none.
    pub(super) fn ask(&mut self, client: RequestId, mut call: Call, result: &str, flow: &mut Flow) {
        let result = members(result);
        let requests: HashMap<String, Members<'_>> =
            result.get("inputRequests").and_then(|requests| serde_json::from_str(requests).ok()).unwrap_or_default();
        call.rounds += 1;
        if call.rounds > MOST_ROUNDS || requests.len() > MOST_QUESTIONS {
            return flow.refuse(&client, INTERNAL, "The server asks too many questions about the call.");
        }
        let state = result.get("requestState").map(str::to_owned);
        let mut asked = Vec::new();
        for (name, request) in requests {
            let method = request.string("method").unwrap_or_default();
            let mut params = request.get("params").unwrap_or("{}").to_owned();
            if !accepts(&self.capabilities, &method, &params) {
                let reason = format!(
                    "The server asks with {}, and the client has not declared in revision {} that it answers such requests.",
                    bounded::name(&method),
                    self.revision
                );
                return flow.refuse(&client, INTERNAL, &reason);
            }
            self.count += 1;
            let id = RequestId::String(format!("toolbox-revision-{}", self.count).into());
            let mut with_id = members(&params);
            if with_id.string("mode").as_deref() == Some("url") && with_id.get("elicitationId").is_none() {
                // The earlier revisions require this member.
                with_id.set("elicitationId", json_id(&id));
                params = with_id.to_text();
            }
            asked.push((id, name, method, params));
        }
        self.count += 1;
        let number = self.count;
        let missing = asked.len();
        for (id, name, method, params) in asked {
            flow.to_client.push(request(&id, &method, &params));
            self.questions.insert(id, (number, name));
        }
        self.rounds.insert(number, Round { client, call, state, answers: Vec::new(), missing });
        if missing == 0 {
            self.repeat(number, flow);
        }
    }

    /// Uses the client's answer to a question.
    pub(super) fn decided(&mut self, id: &RequestId, answer: Answer<'_>, flow: &mut Flow) {
        let Some((number, name)) = self.questions.remove(id) else { return };
        let Some(round) = self.rounds.get_mut(&number) else { return };
        match answer {
            Answer::Result(result) => {
                round.answers.push((name, result.to_owned()));
                round.missing -= 1;
                if round.missing == 0 {
                    self.repeat(number, flow);
                }
            }
            Answer::Error(error) => {
                let (client, error) = (round.client.clone(), error.to_owned());
                self.end_round(number, flow);
                flow.to_client.push(failure(&client, &error));
            }
        }
    }

    /// Repeats a call with the answers of the client.
    pub(super) fn repeat(&mut self, number: u64, flow: &mut Flow) {
        let Some(Round { client, call, state, answers, .. }) = self.rounds.remove(&number) else { return };
        let mut more = Vec::new();
        if !answers.is_empty() {
            let responses = json_object(|responses| {
                for (name, answer) in &answers {
                    responses.written(name, answer);
                }
            });
            more.push(("inputResponses", responses));
        }
        more.extend(state.map(|state| ("requestState", state)));
        let (method, params) = (call.method.clone(), self.params(&call.params, &more));
        let at_server = self.send(Request::Call { client: client.clone(), call }, &method, &params, flow);
        self.ids.insert(client, at_server);
    }

    /// Forgets a call whose questions are not answered, and takes back its other questions.
    pub(super) fn end_round(&mut self, number: u64, flow: &mut Flow) {
        self.rounds.remove(&number);
        self.questions.retain(|id, (own, _)| {
            let stays = *own != number;
            if !stays {
                flow.to_client.push(cancellation(id, "The call has ended."));
            }
            stays
        });
    }
}
