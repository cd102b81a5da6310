//! The approval of calls by the user, with a question that the proxy sends to the client (elicitation).
//!
//! In protocol version 2026-07-28, servers send no requests: the answer to a call is a question, and the client repeats the call with the user's answer.
//! A client brings back a state with the repeated call. The state of an approval is a random number, which is kept in a table with the call
//! that it belongs to. If the server then asks questions itself, the number is put in front of the server's state, so that the user is not
//! asked again.
//!
//! Invariants: without the user's consent, the server does not get the call; a state counts once, for ten minutes, and only for the tool and the
//! arguments that the question has shown.

use rmcp::model::{ElicitationAction, RequestId};
use tokio::time::Instant;

use crate::action::Action;
use crate::approval_tokens::VALID;
use crate::call::Call;
use crate::checker::{Denial, Running};
use crate::frame::{Answer, Frame};
use crate::guard::Guard;
use crate::members::{Members, can_show, member, parsed};
use crate::own_messages::{cancellation, input_required, json_object, json_string, rejection, request};
use crate::pending_request::{Approving, PendingRequest, Question};
use crate::private::bounded;
use crate::redact::Shown;
use tool_report::CallEndKind;

/// The reasons why a call that needs an approval does not run, as a recording and as the model reads them.
const DENIED: Denial = ("denied", "The user has denied the call.");
const CANNOT_ASK: Denial = ("not_asked", "It needs the approval of the user, and this client cannot ask for it.");
const UNCLEAR: Denial = ("unclear", "It needs the approval of the user, and the answer of the client cannot be used.");
const LATE: Denial = ("late", "It needs the approval of the user, who has not answered in time.");

/// The largest number of bytes that a question shows of the arguments.
const SHOWN: usize = 2_000;
/// The name of the question in protocol version 2026-07-28.
const QUESTION: &str = "toolbox-proxy-approval";

/// The decision about a call of protocol version 2026-07-28.
enum Decision {
    /// The server gets this message.
    Approved(Frame),
    Denied(Denial),
    /// The user has not been asked.
    None,
}

/// Returns the parameters of a question.
fn question(call: &Shown<'_>) -> String {
    let shown = bounded::text(if call.arguments.is_empty() { "{}" } else { &call.arguments }, SHOWN);
    json_object(|params| {
        params.string("message", &format!("May {} run with {shown}?", bounded::name(&call.name)));
        params.json_text("requestedSchema", r#"{"type":"object","properties":{}}"#);
    })
}

/// Returns the reason for denying a call after the answer of the user, given as JSON text; `None` if the user has accepted.
fn denial(answer: &str) -> Option<Denial> {
    match parsed(answer, "action") {
        Some(ElicitationAction::Accept) => None,
        Some(ElicitationAction::Decline | ElicitationAction::Cancel) => Some(DENIED),
        _ => Some(UNCLEAR),
    }
}

impl Guard {
    /// Asks the user about a call, or rejects it if the client cannot ask.
    pub(super) fn ask(&mut self, id: RequestId, (frame, bytes): (Frame, usize), running: Running) -> Action {
        let Some(call) = Call::of(frame.params()).filter(|_| self.can_ask) else {
            return self.deny(&id, running, CANNOT_ASK, false);
        };
        let asked = self.questions.own_id(&mut self.own_requests);
        let params = question(&self.checker.shown(&call, running.is_unclear()));
        self.out.to_client.push(request(&asked, "elicitation/create", &params));
        self.questions.add(asked.clone(), Question::Approval(id.clone()));
        let approving = Box::new(Approving { frame, running, bytes, question: asked });
        let until = Some(Instant::now() + VALID);
        self.requests.add_until(id, PendingRequest::Approving(approving), bytes, until);
        Action::Drop
    }

    /// Rejects a call that the user has not approved.
    fn deny(&mut self, id: &RequestId, running: Running, denial: Denial, has_result_type: bool) -> Action {
        let texts = self.checker.deny(running, denial);
        self.reply(rejection(id, &texts, has_result_type))
    }

    /// Forwards or rejects a call after the answer of the client.
    pub(super) fn decided(&mut self, id: RequestId, answer: Answer<'_>) {
        let Some(PendingRequest::Approving(approving)) = self.requests.take(&id) else { return };
        let Approving { frame, mut running, bytes, .. } = *approving;
        let denied = match answer {
            Answer::Result(result) => denial(result),
            Answer::Error(_) => Some(UNCLEAR),
        };
        if let Some(denial) = denied {
            self.deny(&id, running, denial, false);
            return;
        }
        running.set_approval("accepted");
        self.forward(id, bytes, running, (false, None));
        self.out.to_server.push(frame);
    }

    /// Rejects a call about which the user has not decided in time.
    pub(super) fn undecided(&mut self, id: &RequestId, approving: Approving) {
        self.take_back(&approving.question, "There was no answer in time.");
        self.deny(id, approving.running, LATE, false);
    }

    /// Ends a call that the client has cancelled before the decision.
    pub(super) fn cancel_pending(&mut self, approving: Approving) {
        self.take_back(&approving.question, "The call was cancelled.");
        self.checker.cancel(approving.running, CallEndKind::Cancelled);
    }

    fn take_back(&mut self, question: &RequestId, reason: &str) {
        self.questions.give_up(question);
        self.out.to_client.push(cancellation(question, reason));
    }

    /// Forwards a call that the user has approved. Otherwise answers it with a question for the user, or rejects it if the client cannot ask.
    pub(super) fn ask_by_result(
        &mut self,
        id: RequestId,
        (frame, bytes): (Frame, usize),
        (mut running, is_repaired): (Running, bool),
    ) -> Action {
        let params = frame.params();
        let Some(call) = Call::of(params) else { return self.deny(&id, running, UNCLEAR, true) };
        let hash = self.approval_states.hash(&call.name, call.arguments);
        let denial = match self.decision(params, hash, &frame) {
            Decision::Approved(approved) => {
                running.set_approval("accepted");
                self.forward(id, bytes, running, (true, Some(hash)));
                self.out.to_server.push(approved);
                return Action::Drop;
            }
            Decision::Denied(denial) => denial,
            Decision::None if !can_ask(params) => CANNOT_ASK,
            Decision::None => match self.approval_states.keep(hash, false, Instant::now()) {
                Some(state) => {
                    let asked = json_object(|asked| {
                        asked.string("method", "elicitation/create");
                        asked.json_text("params", &question(&self.checker.shown(&call, running.is_unclear())));
                    });
                    self.checker.suspend(running, is_repaired);
                    return self.reply(input_required(&id, [(QUESTION, &*asked)], &state));
                }
                None => UNCLEAR,
            },
        };
        self.deny(&id, running, denial, true)
    }

    fn decision(&mut self, params: &str, call: u64, frame: &Frame) -> Decision {
        let state: Option<String> = parsed(params, "requestState");
        match state.as_deref().and_then(|state| self.approval_states.redeem(state, call, Instant::now())) {
            None => Decision::None,
            Some((true, theirs)) => with_params(frame, |members| match theirs.map(json_string) {
                Some(state) => members.set("requestState", state),
                None => drop(members.remove("requestState")),
            }),
            Some((false, _)) => {
                let Some(responses) = member(params, "inputResponses") else { return Decision::None };
                let Some(responses) = Members::of(responses) else { return Decision::Denied(UNCLEAR) };
                match responses.get(QUESTION).map(denial) {
                    // The client may not have asked yet.
                    None => Decision::None,
                    Some(None) => with_params(frame, |members| {
                        members.remove("requestState");
                        members.remove("inputResponses");
                    }),
                    Some(Some(denial)) => Decision::Denied(denial),
                }
            }
        }
    }

    /// Returns the server's answer to an approved call with a state of the proxy, if the answer is a question. The user is not asked again when the
    /// client repeats the call with this state.
    pub(super) fn asked_by_server(&mut self, approved: u64, frame: &Frame, answer: Answer<'_>) -> Option<Frame> {
        let Answer::Result(result) = answer else { return None };
        let mut members =
            Members::of(result).filter(|members| members.get("resultType") == Some(r#""input_required""#))?;
        let mut state = self.approval_states.keep(approved, true, Instant::now())?;
        if let Some(theirs) = members.string("requestState") {
            state.push(':');
            state.push_str(&theirs);
        }
        members.set("requestState", json_string(&state));
        Some(frame.with_part(result, &members.to_text()))
    }
}

/// Returns `true` if the client can show a form, as this request says.
fn can_ask(params: &str) -> bool {
    let capabilities =
        member(params, "_meta").and_then(|meta| member(meta, "io.modelcontextprotocol/clientCapabilities"));
    capabilities.is_some_and(can_show)
}

/// Returns the decision for an approved call with changed parameters.
fn with_params<'l>(frame: &'l Frame, change: impl FnOnce(&mut Members<'l>)) -> Decision {
    let params = frame.params();
    let Some(mut members) = Members::of(params) else { return Decision::Denied(UNCLEAR) };
    change(&mut members);
    Decision::Approved(frame.with_part(params, &members.to_text()))
}
