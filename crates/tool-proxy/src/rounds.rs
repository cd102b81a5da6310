//! The approval of calls in revision 2026-07-28: the answer to a call is a question, and the client repeats the call with the user's answer.
//!
//! A client brings back a state with the repeated call. The state of an approval is a random number, which is kept in a table with the call
//! that it belongs to. If the server then asks questions itself, the number is put in front of the server's state, so that the user is not
//! asked again.
//!
//! Invariant: a state counts once, for ten minutes, and only for the tool and the arguments that the question has shown.

use rmcp::model::RequestId;
use serde::Deserialize;
use tokio::time::Instant;

use super::approve::{Action, CANNOT_ASK, DECLINED, Elicited, UNCLEAR, can_show, write_question};
use super::asked::{Approved, Asked, Tables};
use super::call::Call;
use super::calls::Calls;
use super::checker::Running;
use super::fate::Sent;
use super::frame::{Answer, Frame, object};
use super::members::Members;
use super::redact::Shown;
use super::writing::{json_object, json_string, refusal, response};

/// The name of the question.
const QUESTION: &str = "toolbox-proxy-approval";
/// The members of a call that matter for questions.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Repeated<'l> {
    #[serde(default)]
    request_state: Option<String>,
    #[serde(borrow, default)]
    input_responses: Option<Members<'l>>,
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<Members<'l>>,
}

/// The decision of the user about a call.
enum Decision {
    /// The server gets this message.
    Approved(Frame),
    Denied,
    /// The answer cannot be used.
    Unclear,
    /// The user has not been asked.
    None,
}

impl Calls {
    /// Forwards a call that the user has approved. Otherwise answers it with a question for the user, or refuses it if the client cannot ask.
    pub(super) fn ask_by_result(
        &mut self,
        id: RequestId,
        (frame, bytes): (Frame, usize),
        (mut running, is_repaired): (Running, bool),
        open: &mut Tables,
        sent: &mut Sent,
    ) {
        let params = frame.params();
        let parts = Call::of(params).zip(object::<Repeated<'_>>(params));
        let Some((call, repeated)) = parts else {
            sent.to_client.push(refusal(&id, &self.checker.deny(running, UNCLEAR), true));
            return;
        };
        let hash = self.states.hash(&call.name, call.arguments);
        let texts = match self.decision(&repeated, hash, &frame) {
            Decision::Approved(approved) => {
                running.set_approval("accepted");
                self.forward(id.clone(), bytes, running, true, &mut open.asked);
                open.asked.change(&id, |asked| {
                    if let Asked::Call(call) = asked {
                        call.approved = Some(Approved(hash));
                    }
                });
                sent.to_server.push(approved);
                return;
            }
            Decision::Denied => self.checker.deny(running, DECLINED),
            Decision::None if repeated.can_ask() => match self.states.keep(hash, false, Instant::now()) {
                Some(state) => {
                    let shown = self.checker.shown(&call, running.is_unclear());
                    sent.to_client.push(question_result(&id, &shown, &state));
                    self.checker.suspend(running, is_repaired);
                    return;
                }
                None => self.checker.deny(running, UNCLEAR),
            },
            Decision::None => self.checker.deny(running, CANNOT_ASK),
            Decision::Unclear => self.checker.deny(running, UNCLEAR),
        };
        sent.to_client.push(refusal(&id, &texts, true));
    }

    fn decision(&mut self, repeated: &Repeated<'_>, call: u64, frame: &Frame) -> Decision {
        let state = repeated.request_state.as_deref();
        let redeemed = state.and_then(|state| self.states.redeem(state, call, Instant::now()));
        match redeemed {
            None => Decision::None,
            Some((true, theirs)) => {
                let theirs = theirs.map(json_string);
                with_params(frame, |members| match theirs {
                    Some(state) => members.set("requestState", state),
                    None => drop(members.remove("requestState")),
                })
            }
            Some((false, _)) => match repeated.input_responses.as_ref().and_then(|responses| responses.get(QUESTION)) {
                // The client may not have asked yet.
                None => Decision::None,
                Some(answer) => match object(answer).map(|Elicited { action }| action) {
                    Some(Action::Accept) => with_params(frame, |members| {
                        members.remove("requestState");
                        members.remove("inputResponses");
                    }),
                    Some(Action::Decline | Action::Cancel) => Decision::Denied,
                    None => Decision::Unclear,
                },
            },
        }
    }

    /// Returns the server's answer to an approved call with a state of the proxy, if the answer is a question. The user is not asked again when the client repeats
    /// the call with this state.
    pub(super) fn asked_by_server(&mut self, approved: Approved, frame: &Frame, answer: Answer<'_>) -> Option<Frame> {
        let Answer::Result(result) = answer else { return None };
        let mut members =
            Members::of(result).filter(|members| members.get("resultType") == Some(r#""input_required""#))?;
        let theirs = members.string("requestState");
        let mut state = self.states.keep(approved.0, true, Instant::now())?;
        if let Some(theirs) = theirs {
            state.push(':');
            state.push_str(&theirs);
        }
        let text = json_string(&state);
        members.set("requestState", text);
        Some(frame.with_part(result, &members.to_text()))
    }
}

impl Repeated<'_> {
    /// Returns `true` if the client can show a form, as this request says.
    fn can_ask(&self) -> bool {
        let capabilities = self.meta.as_ref().and_then(|meta| meta.get("io.modelcontextprotocol/clientCapabilities"));
        capabilities.is_some_and(can_show)
    }
}

/// Returns the decision for an approved call with changed parameters.
fn with_params<'l>(frame: &'l Frame, change: impl FnOnce(&mut Members<'l>)) -> Decision {
    let params = frame.params();
    let Some(mut members) = Members::of(params) else { return Decision::Unclear };
    change(&mut members);
    Decision::Approved(frame.with_part(params, &members.to_text()))
}

/// Returns the answer to a call that asks the client to show a question.
fn question_result(id: &RequestId, call: &Shown<'_>, state: &str) -> Frame {
    let result = json_object(|result| {
        result.string("resultType", "input_required");
        result.object("inputRequests", |requests| {
            requests.object(QUESTION, |request| write_question(request, call));
        });
        result.string("requestState", state);
    });
    response(id, &result)
}
