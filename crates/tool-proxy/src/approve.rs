//! The approval of calls by the user, with a question that the proxy sends to the client (elicitation). `rounds.rs` asks in revision 2026-07-28,
//! in which servers send no requests.
//!
//! Invariant: without the user's consent, the server does not get the call.

use rmcp::model::RequestId;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::asked::{Asked, Pending, Question, Tables, own_id};
use super::call::Call;
use super::calls::Calls;
use super::checker::{Denial, Running};
use super::fate::Sent;
use super::frame::{Answer, Frame, object};
use super::redact::Shown;
use super::states::VALID;
use super::writing::{cancellation, json_object, refusal, request};
use crate::private::bounded;
use crate::private::json::ObjectWriter;
use tool_report::EndKind;

/// The reasons why a call that needs an approval does not run, as a recording and as the model reads them.
pub(super) const DECLINED: Denial = ("declined", "The user has declined the call.");
pub(super) const CANNOT_ASK: Denial =
    ("not_asked", "It needs the approval of the user, and this client cannot ask for it.");
pub(super) const UNCLEAR: Denial =
    ("unclear", "It needs the approval of the user, and the answer of the client cannot be used.");
const LATE: Denial = ("late", "It needs the approval of the user, who has not answered in time.");

/// The largest number of bytes that a question shows of the arguments.
const SHOWN: usize = 2_000;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Initialize<'l> {
    #[serde(borrow)]
    capabilities: Option<&'l RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Capabilities {
    elicitation: Option<Modes>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Modes {
    form: Option<serde::de::IgnoredAny>,
    url: Option<serde::de::IgnoredAny>,
}

/// Returns `true` if a client that sends `initialize` with these parameters can show a form.
pub(super) fn can_ask(params: &str) -> bool {
    object::<Initialize<'_>>(params)
        .and_then(|params| params.capabilities)
        .is_some_and(|capabilities| can_show(capabilities.get()))
}

/// Returns `true` if a client with these capabilities can show a form. One that lists no modes can.
pub(super) fn can_show(capabilities: &str) -> bool {
    let Capabilities { elicitation } = object(capabilities).unwrap_or_default();
    elicitation.is_some_and(|modes| modes.form.is_some() || modes.url.is_none())
}

/// The answer to a question.
#[derive(Deserialize)]
pub(super) struct Elicited {
    pub(super) action: Action,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Action {
    Accept,
    Decline,
    Cancel,
}

/// Writes the parameters of a question.
fn write_params(params: &mut ObjectWriter<'_>, call: &Shown<'_>) {
    let shown = bounded::text(if call.arguments.is_empty() { "{}" } else { &call.arguments }, SHOWN);
    params.string("message", &format!("May {} run with {shown}?", bounded::name(&call.name)));
    params.raw("requestedSchema", r#"{"type":"object","properties":{}}"#);
}

/// Writes a question whose answer the client brings back.
pub(super) fn write_question(question: &mut ObjectWriter<'_>, call: &Shown<'_>) {
    question.string("method", "elicitation/create");
    question.object("params", |params| write_params(params, call));
}

impl Calls {
    /// Asks the user about a call, or refuses it if the client cannot ask.
    pub(super) fn ask(
        &mut self,
        id: RequestId,
        (frame, bytes): (Frame, usize),
        running: Running,
        open: &mut Tables,
        sent: &mut Sent,
    ) {
        let Some(call) = Call::of(frame.params()).filter(|_| open.can_ask) else {
            sent.to_client.push(refusal(&id, &self.checker.deny(running, CANNOT_ASK), false));
            return;
        };
        let asked = own_id(&open.questions, &mut self.requests);
        let params = json_object(|params| write_params(params, &self.checker.shown(&call, running.is_unclear())));
        sent.to_client.push(request(&asked, "elicitation/create", &params));
        open.questions.add(asked.clone(), Question::Approval(id.clone()));
        self.bytes += bytes;
        let deadline = self.deadlines.add(Instant::now() + VALID, id.clone());
        let pending = Pending { frame, running, bytes, question: asked, deadline };
        open.asked.add(id, Asked::Approving(pending));
    }

    /// Forwards or refuses a call after the answer of the user; `None` if it cannot be used.
    pub(super) fn decided(&mut self, id: RequestId, answer: Option<Answer<'_>>, open: &mut Tables, sent: &mut Sent) {
        let Some(Asked::Approving(pending)) = open.asked.take(&id) else { return };
        let action = match answer {
            Some(Answer::Result(result)) => object(result).map(|Elicited { action }| action),
            _ => None,
        };
        let Pending { frame, mut running, bytes, .. } = self.without_deadline(pending);
        let texts = match action {
            Some(Action::Accept) => {
                running.set_approval("accepted");
                self.forward(id, bytes, running, false, &mut open.asked);
                sent.to_server.push(frame);
                return;
            }
            Some(Action::Decline | Action::Cancel) => self.checker.deny(running, DECLINED),
            None => self.checker.deny(running, UNCLEAR),
        };
        sent.to_client.push(refusal(&id, &texts, false));
    }

    /// Refuses a call about which the user has not decided in time.
    pub(super) fn undecided(&mut self, id: &RequestId, pending: Pending, open: &mut Tables, sent: &mut Sent) {
        let Pending { running, question, .. } = self.without_deadline(pending);
        open.questions.give_up(&question);
        sent.to_client.push(cancellation(&question, "There was no answer in time."));
        sent.to_client.push(refusal(id, &self.checker.deny(running, LATE), false));
    }

    /// Ends a call that the client has cancelled before the decision.
    pub(super) fn cancel_pending(&mut self, pending: Pending, open: &mut Tables, sent: &mut Sent) {
        let Pending { running, question, .. } = self.without_deadline(pending);
        open.questions.give_up(&question);
        sent.to_client.push(cancellation(&question, "The call was cancelled."));
        self.checker.cancel(running, EndKind::Cancelled);
    }

    /// Ends a call whose server has ended before the decision.
    pub(super) fn drop_pending(&mut self, pending: Pending) {
        let Pending { running, .. } = self.without_deadline(pending);
        self.checker.cancel(running, EndKind::Lost);
    }

    fn without_deadline(&mut self, pending: Pending) -> Pending {
        self.bytes -= pending.bytes;
        self.deadlines.remove(Some(pending.deadline));
        pending
    }
}
