//! The way of a call where the host wants to be asked before a tool runs, and of one that somebody outside answers.
//!
//! In: a routed call. Out: its outcome: what the tool came to, a refusal, a denial, or a deferral. What always holds: a hook is asked only
//! about arguments that are acceptable, under the names that the schema shows, and the tool runs with exactly those or not at all; while a hook thinks, the call can be
//! cancelled; a hook that panics lets nothing run.

use super::invoke::{Interruption, Invoked, Race, guarded};
use super::member::{Member, batch_of};
use super::mend::read_again;
use super::settle::conceals_words;
use super::throttled::Admitted;
use super::{Outcome, Session};
use crate::context::CallContext;
use crate::decode::{canonical, misread};
use crate::event;
use crate::failure::Failure;
use crate::hook::{Asking, ProposedCall, Verdict};
use crate::input::Arguments;
use crate::issue::{Issue, ValidationError};
use crate::repair::Repair;
use crate::shape::Identity;
use crate::throttle::Exit;
use crate::tool::{CallError, Payload, ToolSpec};
use crate::toolbox::Entry;

/// Arguments, judged before anything runs.
pub(super) struct Judged<'a> {
    pub(super) arguments: Arguments<'a>,
    /// Whether they are not how they were written.
    pub(super) is_read: bool,
    /// What was read otherwise than it was written: the name, then the arguments.
    pub(super) repairs: Vec<Repair>,
    checked: Result<Result<(), ValidationError>, Interruption>,
}

impl<'a> Judged<'a> {
    /// Arguments that a hook has accepted.
    pub(super) const fn approved(arguments: Arguments<'a>, is_read: bool, repairs: Vec<Repair>) -> Self {
        Self { arguments, is_read, repairs, checked: Ok(Ok(())) }
    }
}

impl Session {
    /// Answers a call of which the host decides whether it runs.
    pub(super) async fn ask_and_run<'s>(
        &'s self,
        call_id: &str,
        entry: &Entry,
        arguments: Arguments<'_>,
        ledger: Vec<Repair>,
        mut member: Option<Box<Member<'s>>>,
    ) -> Outcome {
        let batch = batch_of(member.as_deref());
        let cx = CallContext::new(call_id, self.0.scope.clone());
        let judged = self.judge(entry, &cx, arguments, ledger).under_own_names(entry.tool.spec());
        if let Ok(Ok(())) = judged.checked {
            // Nobody is asked about a call that would be refused all the same.
            if let Err(refusal) = self.ask_throttle(entry, &judged.arguments, &mut member) {
                return self.throttled(call_id, &entry.name, refusal, judged.repairs);
            }
            let proposed = ProposedCall {
                call_id,
                name: &entry.name,
                spec: entry.tool.spec(),
                arguments: &judged.arguments,
                repairs: &judged.repairs,
                scope: &self.0.scope,
            };
            let (failure, exit) = match self.ask(&cx, &proposed).await {
                Ok(Verdict::Run) if !entry.tool.spec().external => {
                    return self.admit_judged(cx, entry, judged, member).await;
                }
                Ok(Verdict::Run | Verdict::Defer) => return self.defer(call_id, entry, judged, batch),
                Ok(Verdict::Deny(reason)) => (Failure::denied(&entry.name, &reason), Exit::Denied),
                // A hook that panics says nothing of the tool.
                Err(interruption) => {
                    let failure = interruption.into_failure(&entry.name);
                    (failure.with_secret_details(conceals_words(entry, &judged.arguments)), Exit::Cancelled)
                }
            };
            drop(member);
            self.count_decided(entry, &judged.arguments, batch, exit);
            let failure = self.reject(call_id, &entry.name, failure);
            return judged.answered(cx, entry, Err(Box::new(failure)));
        }
        self.admit_judged(cx, entry, judged, member).await
    }

    /// Asks every hook, until one does not let it run.
    async fn ask(&self, cx: &CallContext, proposed: &ProposedCall<'_>) -> Result<Verdict, Interruption> {
        for hook in &self.0.toolbox.parts().settings.hooks {
            let verdict = match guarded(|| hook.before_call(proposed))? {
                Asking::Decided(verdict) => verdict,
                Asking::Pending(future) => Race::new(self.0.running.register(cx), cx, future).await?,
            };
            if verdict != Verdict::Run {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Run)
    }

    /// Runs a tool, or says what is wrong with its arguments, unless the throttle refuses the call.
    async fn admit_judged<'s>(
        &'s self,
        cx: CallContext,
        entry: &Entry,
        judged: Judged<'_>,
        member: Option<Box<Member<'s>>>,
    ) -> Outcome {
        match self.admit_tool(entry, &judged.arguments, member) {
            Ok(admitted) => self.run_judged(cx, entry, judged, admitted).await,
            Err(refusal) => self.throttled(cx.call_id(), &entry.name, refusal, judged.repairs),
        }
    }

    /// Runs a tool with arguments that nobody will read otherwise any more, or says what is wrong with them.
    pub(super) async fn run_judged(
        &self,
        cx: CallContext,
        entry: &Entry,
        mut judged: Judged<'_>,
        admitted: Admitted<'_>,
    ) -> Outcome {
        let checked = std::mem::replace(&mut judged.checked, Ok(Ok(())));
        let answer = match checked {
            Ok(Ok(())) => match self.invoke(entry, &cx, &judged.arguments) {
                Invoked::Answered(answer) => answer,
                Invoked::Waiting(waiting) => waiting.await,
            },
            Ok(Err(refused)) => Ok(Err(CallError::Invalid(refused))),
            Err(interruption) => Err(interruption),
        };
        let result = self.settle(cx.call_id(), entry, answer, &judged.arguments);
        let repairs = std::mem::take(&mut judged.repairs);
        let mut outcome = Outcome::new(cx.into_call_id(), &entry.name, result, repairs, judged.read());
        self.count(admitted, &judged.arguments, &mut outcome);
        self.doubt(entry, &judged.arguments, &mut outcome);
        outcome
    }

    /// Judges arguments without running anything, and reads them again where they are refused.
    fn judge<'a>(
        &self,
        entry: &Entry,
        cx: &CallContext,
        arguments: Arguments<'a>,
        mut ledger: Vec<Repair>,
    ) -> Judged<'a> {
        let refused = match self.check(entry, &arguments) {
            Ok(Err(refused)) => refused,
            checked => return Judged { arguments, is_read: false, repairs: ledger, checked },
        };
        let policy = entry.tool.spec().repair.unwrap_or(self.0.toolbox.parts().settings.policy);
        // A rule of the user's own may panic.
        let (text, repairs, left) = match guarded(|| read_again(entry, &self.input(entry), &arguments, policy, refused))
        {
            Ok(Ok(read)) => read,
            Ok(Err(refused)) => {
                return Judged { arguments, is_read: false, repairs: ledger, checked: Ok(Err(refused)) };
            }
            Err(panic) => return Judged { arguments, is_read: false, repairs: ledger, checked: Err(panic) },
        };
        for repair in &repairs {
            self.observe(cx.call_id(), || event::Decision::Repaired { repair });
        }
        ledger.extend(repairs);
        let arguments = Arguments::from(text);
        let checked = left.map_or_else(|| self.check(entry, &arguments), |left| Ok(Err(left)));
        Judged { arguments, is_read: true, repairs: ledger, checked }
    }

    /// What a call would refuse.
    fn check(&self, entry: &Entry, arguments: &Arguments<'_>) -> Result<Result<(), ValidationError>, Interruption> {
        match self.refused_by_state(entry, arguments)? {
            Some(refused) => Ok(Err(refused)),
            None => guarded(|| entry.tool.check(arguments)),
        }
    }
}

impl Judged<'_> {
    /// Acceptable arguments under the names that the schema shows, which are those that a hook looks for; what the hook sees is what the
    /// tool gets. serde reads a struct from an array too: values that no name leads to are refused.
    fn under_own_names(mut self, spec: &ToolSpec) -> Self {
        if !matches!(self.checked, Ok(Ok(()))) {
            return self;
        }
        let input = &spec.input.shape();
        // Others judge by more than the shape says.
        let is_typed = spec.check.is_some() || matches!(input.identity, Some(Identity::Type(_)));
        if is_typed
            && self.arguments.may_have_array()
            && let Ok(Some(refused)) = guarded(|| misread(input, &self.arguments))
        {
            return Self { checked: Ok(Err(refused)), ..self };
        }
        // serde skips over values that it ignores; a text that it accepts may still be one that no hook can read.
        let renamed = guarded(|| self.arguments.to_json().map(|json| canonical(input, &json)));
        match renamed {
            Ok(Ok(Some(renamed))) => self.arguments = Arguments::from(renamed.to_text()),
            Ok(Ok(None)) => {}
            Ok(Err(error)) => self.checked = Ok(Err(Issue::syntax(&error).into())),
            Err(panic) => self.checked = Err(panic),
        }
        self
    }
}

impl Judged<'_> {
    /// The arguments as they were read, where that is not how they were written.
    fn read(&self) -> Option<Box<str>> {
        self.is_read.then(|| self.arguments.to_text().into())
    }

    /// The outcome of the call that they belong to.
    pub(super) fn answered(self, cx: CallContext, entry: &Entry, result: Result<Payload, Box<Failure>>) -> Outcome {
        let read = self.read();
        Outcome::new(cx.into_call_id(), &entry.name, result, self.repairs, read)
    }
}
