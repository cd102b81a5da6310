//! A scenario without mistakes: [`Prepared`].
//!
//! Invariant: each run begins a new conversation. A turn that does not end as required ends the run, and is the first finding of the
//! report.

use std::collections::HashSet;

use tool_chat::__private_0_1_0::run_with_error_when_exhausted;
use tool_chat::conversation::{Conversation, TurnEnd};
use tool_chat::transcript::Transcript;
use tool_runtime::session::DeferredCall;

use super::expected_ending::{ExpectedEnding, came, waits};
use super::host_reply::{Host, HostReply, Said};
use super::step::Step;
use crate::expectation::ExpectationSet;
use crate::private::internal;
use crate::typed_answer::Asking;
use crate::{ExpectationReport, FailedExpectation, SetupError, SetupErrors};

/// A scenario without mistakes.
pub(super) struct Prepared {
    pub(super) begin: Box<dyn Fn() -> Conversation + Send + Sync>,
    pub(super) instructions: Option<String>,
    pub(super) steps: Vec<Step>,
    pub(super) host: Option<Host>,
    pub(super) expected: ExpectationSet,
    pub(super) ending: ExpectedEnding,
}

impl Prepared {
    /// Runs a new conversation and checks the expectations.
    pub(super) async fn run(&self) -> Result<(Transcript, ExpectationReport), SetupErrors> {
        let mut conversation = (self.begin)();
        let waits = self.steps.iter().any(|step| matches!(step, Step::Wait(_)));
        if waits && !internal::clock(conversation.session()).has_timer() {
            SetupErrors::unless_none(vec![SetupError::NoTimer])?;
        }
        if let Some(instructions) = &self.instructions {
            conversation = conversation.instructions(instructions.clone());
        }
        let fault = run_with_error_when_exhausted(self.hold(&mut conversation)).await.err();
        let (transcript, asking) = (conversation.transcript(), Asking::of(&conversation));
        let report = self.expected.judge_after(fault, self.beside(), transcript, (conversation.session(), asking));
        Ok((conversation.into_transcript(), report))
    }

    /// Returns the number of steps and endings that count as expectations.
    fn beside(&self) -> usize {
        beside(&self.steps, &self.ending)
    }

    async fn hold(&self, conversation: &mut Conversation) -> Result<(), FailedExpectation> {
        let mut last: Option<TurnEnd> = None;
        for step in &self.steps {
            match (step, last.take()) {
                (Step::Wait(time), end) => {
                    internal::clock(conversation.session()).pass(*time).await;
                    last = end;
                }
                (Step::Prompt { text, send, .. }, end) => {
                    if let Some(end) = end {
                        self.over(conversation, end, &ExpectedEnding::Answered).await?;
                    }
                    last = Some(send(conversation, text.clone()).await?);
                }
                (Step::HostReply { tool, reply }, Some(end)) => {
                    let Some(call) = waiting(conversation, &end).into_iter().find(|call| call.tool_name() == tool)
                    else {
                        let but = came(&end, &deferred(conversation));
                        return Err(FailedExpectation::new(format!("{}, but {but}.", waits(tool))));
                    };
                    reply_to(conversation, &call, reply()).await?;
                    last = Some(go_on(conversation).await?);
                }
                // This cannot happen, because building the scenario rejects it.
                (Step::HostReply { .. }, None) => {}
            }
        }
        match last {
            Some(end) => self.over(conversation, end, &self.ending).await,
            None => Ok(()),
        }
    }

    /// Lets the host answer deferred calls, and then checks the end of the turn.
    async fn over(
        &self,
        conversation: &mut Conversation,
        end: TurnEnd,
        ending: &ExpectedEnding,
    ) -> Result<(), FailedExpectation> {
        let mut end = end;
        if let Some(host) = &self.host {
            while let Some(call) = waiting(conversation, &end).first() {
                reply_to(conversation, call, host(call)).await?;
                end = go_on(conversation).await?;
            }
        }
        ending.fault(&end, &deferred(conversation)).map_or(Ok(()), Err)
    }
}

/// Returns the number of steps and endings that count as expectations.
pub(super) fn beside(steps: &[Step], ending: &ExpectedEnding) -> usize {
    let replies = steps.iter().filter(|step| matches!(step, Step::HostReply { .. })).count();
    replies + usize::from(*ending != ExpectedEnding::Answered)
}

/// Returns the calls for which a turn waits.
fn waiting(conversation: &Conversation, end: &TurnEnd) -> Vec<DeferredCall> {
    let TurnEnd::Deferred { call_ids } = end else { return Vec::new() };
    let ids: HashSet<&str> = call_ids.iter().map(String::as_str).collect();
    let mut calls = conversation.session().deferred_calls();
    calls.retain(|call| ids.contains(call.call_id()));
    calls
}

/// Returns the names of the functions of the deferred calls.
fn deferred(conversation: &Conversation) -> Vec<&str> {
    let calls = conversation.transcript().calls().filter(|call| call.outcome.is_deferred());
    calls.map(|call| call.outcome.tool_name()).collect()
}

async fn reply_to(
    conversation: &mut Conversation,
    call: &DeferredCall,
    reply: HostReply,
) -> Result<(), FailedExpectation> {
    let (verb, outcome) = match reply.0 {
        Said::Yes => ("approve", conversation.session().resume(call.call_id()).await),
        Said::Completed(completion) => ("answer", conversation.session().complete(call.call_id(), completion)),
    };
    let cannot = |why: String| {
        FailedExpectation::new(format!("The host cannot {verb} the call of '{}': {why}.", call.tool_name()))
    };
    let outcome = outcome.map_err(|error| cannot(error.to_string()))?;
    conversation.answer_deferred(outcome).map_err(|error| cannot(error.to_string()))
}

/// Continues the turn. It may end again with deferred calls.
async fn go_on(conversation: &mut Conversation) -> Result<TurnEnd, FailedExpectation> {
    conversation.resume().await.map_err(|error| FailedExpectation::new(format!("The turn cannot go on: {error}.")))
}
