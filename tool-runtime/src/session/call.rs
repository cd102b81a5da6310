//! The path of one call through its stages, from the text of a model to its [`Outcome`].
//!
//! | stage | file | does | may end the call with |
//! | --- | --- | --- | --- |
//! | resolve | `resolve.rs` | finds the tool by its name, or by a different spelling that only one tool fits (`names.rs`); handles containers (`expand.rs`); a call without a tool ends here (`unrun.rs`) | `unknown_tool`, `ambiguous_tool`, an expansion |
//! | admit | `admit.rs` | asks the throttle: pauses and rates; if a pause depends on the arguments, these are decoded first; then the shared health of the tool, if there is one (`sharing.rs`) | `throttled` |
//! | decode | `decode.rs` | decodes before anything runs, if a hook is asked or calls are compared; every other call is decoded where it runs; converts arguments back from a provider's form (`restore.rs`) | `validation_error`, `invalid_json` |
//! | repair | `repair.rs` | only if the arguments were rejected: applies repairs that are certain | `validation_error`, `invalid_json` |
//! | approve | `approve.rs` | asks the hooks, which may supply arguments of the host | `denied`, `deferred` |
//! | invoke | `invoke.rs` | runs the tool; panics, time limits (`limits.rs`), attempts (`retry.rs`) | `tool_error`, `timeout`, … |
//! | settle | `settle.rs` | every exit comes here: events, the failure and its text (`render.rs`), counting, the outcome | |
//! | inspect | `inspect.rs` | guards of results | (warnings) |
//!
//! An [`Attempt`] passes through these stages. Calls of a batch (`batch.rs`, `member.rs`), deferred calls (`deferred.rs`) and calls found
//! in a model's text take the same path. If a call needs no stages but resolve, admit, invoke, settle and inspect, and its tool returns a
//! result at once, these stages run without an attempt. Invariant: every stage leads to an outcome. The rest of a call that waits is boxed,
//! to keep the future of the other calls small (`docs/decisions/0135-calls-in-one-function.md`).

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::admit::Admitted;
use super::attempt::{Attempt, Changed, End, NotDecoded};
use super::decode::{Accepted, Decoded, Rewritten};
use super::generation::Generation;
use super::invoke::{Interruption, Invoked, guarded};
use super::member::Member;
use super::repair::Repaired;
use super::resolve::Planned;
use super::restore::Restored;
use super::traced::IS_TRACED;
use super::{Outcome, Session};
use crate::context::{CallContext, CallId, Prepared};
use crate::decode::{Parsed, Rejected};
use crate::event::Decision;
use crate::failure::Failure;
use crate::hook::{HostArguments, Verdict};
use crate::input::Arguments;
use crate::json::Json;
use crate::tool::{Answer, CallError, Invocation, Payload};
use crate::toolbox::Entry;

impl Session {
    /// Answers one call. Calls may run at the same time, and two of them may have the same id.
    ///
    /// Nothing happens before the future is awaited. No executor is needed: the call of a sync tool is done at the first poll.
    pub fn call<'a>(
        &'a self,
        call_id: &'a str,
        name: &'a str,
        arguments: impl Into<Arguments<'a>>,
    ) -> impl Future<Output = Outcome> + Send {
        let arguments = arguments.into();
        async move {
            let current = self.current();
            // The context is stored here, because the future of an async tool borrows it. It is boxed to keep this future small.
            let mut cx = None;
            let rest = if IS_TRACED {
                let trace = current.trace(call_id, name, &arguments);
                Box::pin(trace.around(current.answer(call_id, name, &arguments, None, &mut cx)))
            } else {
                // The result is not matched around the `await`, because the future would then contain it.
                match current.begin(call_id, name, &arguments, None, &mut cx) {
                    Ok(outcome) => return outcome,
                    Err(rest) => rest,
                }
            };
            rest.await
        }
    }
}

/// The part of a call that has to wait, or that only some calls need. It is boxed, so that the future of the other calls stays small, and a
/// call of a sync tool runs in one plain function.
type Rest<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

impl Generation {
    #[expect(clippy::manual_async_fn, reason = "an async fn moves its arguments once more when it is first polled")]
    pub(super) fn answer<'a>(
        &'a self,
        call_id: &'a str,
        name: &'a str,
        arguments: &'a Arguments<'_>,
        member: Option<Box<Member<'a>>>,
        cx: &'a mut Option<Box<CallContext>>,
    ) -> impl Future<Output = Outcome> + Send {
        async move {
            let rest = match self.begin(call_id, name, arguments, member, cx) {
                Ok(outcome) => return outcome,
                Err(rest) => rest,
            };
            rest.await
        }
    }

    /// Answers a call, or returns the rest of it.
    fn begin<'c>(
        &'c self,
        call_id: &'c str,
        name: &'c str,
        arguments: &'c Arguments<'_>,
        member: Option<Box<Member<'c>>>,
        cx: &'c mut Option<Box<CallContext>>,
    ) -> Result<Outcome, Rest<'c>> {
        if self.is_observed() {
            self.observe(call_id, || Decision::Received { name, arguments });
        }
        let Some(entry) = self.find_at_hand(name) else {
            return Err(Box::pin(self.resolve_and_run(call_id, name, arguments, member)));
        };
        if member.is_none()
            && entry.is_plain()
            && !self.shared.starts.take_all_stages()
            && let Some(began) = self.start_unasked()
        {
            let (cx, unused) = if entry.ignores_context {
                (CallContext::ignored(), Some(cx))
            } else {
                (self.context(entry, call_id, cx), None)
            };
            let mut id = CallId::EMPTY;
            id.write(call_id);
            // A text is moved on its own, because a processor cannot load 16 bytes that were just stored as two parts.
            let mut text = None;
            let mut invocation = Err(Interruption::Cancelled);
            let run = || match entry.tool.call(arguments.lent(), cx) {
                Invocation::Ready(Ok(Payload::Text(answer))) => text = Some(answer),
                other => invocation = Ok(other),
            };
            if let Err(panic) = guarded(run) {
                invocation = Err(panic);
            }
            let payload = match text {
                Some(text) => Payload::Text(text),
                None => match invocation {
                    Ok(Invocation::Ready(Ok(payload))) if !matches!(payload, Payload::Parts(_)) => payload,
                    invocation => {
                        let cx = unused.map_or(cx, |unused| self.context(entry, call_id, unused));
                        let mut attempt = Attempt::new(call_id, &entry.name, arguments, Vec::new());
                        attempt.ticket = self.unasked_ticket(entry, began);
                        return self.end_or_wait(entry, attempt, cx, self.invoked(cx, invocation));
                    }
                },
            };
            cx.end_progress();
            let warning = self.count_success(entry, call_id, arguments, began, &payload);
            if warning.is_some() || self.is_doubtful(entry, arguments, &payload) {
                return Ok(self.succeed_with_warnings(entry, id, arguments, payload, warning));
            }
            return Ok(Outcome::new(id, &entry.name, Ok(payload), None));
        }
        let mut attempt = Attempt::new(call_id, &entry.name, arguments, Vec::new());
        attempt.is_cut_off = member.as_ref().is_some_and(|member| member.is_cut_off);
        self.admit_and_run(entry, attempt, member, cx)
    }

    /// Creates the context of a call in place, which is cheaper than moving it.
    #[inline]
    fn context<'c>(&self, entry: &Entry, call_id: &str, place: &'c mut Option<Box<CallContext>>) -> &'c CallContext {
        let cx = place.insert(Box::new(CallContext::unnamed(entry.position, Some(Arc::clone(&self.scope)))));
        cx.name(call_id);
        cx
    }

    /// Answers a call whose name is not the exact name of a visible tool.
    async fn resolve_and_run<'c>(
        &'c self,
        call_id: &'c str,
        name: &'c str,
        arguments: &'c Arguments<'_>,
        member: Option<Box<Member<'c>>>,
    ) -> Outcome {
        let Planned { entry, inner, ledger } = match self.resolve(call_id, name, arguments) {
            Ok(planned) => planned,
            Err(unrun) => return self.answer_unrun(call_id, *unrun, arguments, member),
        };
        let mut attempt = Attempt::new(call_id, &entry.name, &inner, ledger);
        attempt.is_cut_off = member.as_ref().is_some_and(|member| member.is_cut_off);
        let mut cx = None;
        match self.admit_and_run(entry, attempt, member, &mut cx) {
            Ok(outcome) => outcome,
            Err(rest) => rest.await,
        }
    }

    /// Runs a call whose tool is known. If the call needs no further stages and its tool answers at once, returns its outcome.
    fn admit_and_run<'c>(
        &'c self,
        entry: &'c Entry,
        mut attempt: Attempt<'c>,
        member: Option<Box<Member<'c>>>,
        cx: &'c mut Option<Box<CallContext>>,
    ) -> Result<Outcome, Rest<'c>> {
        let admitted = match self.admit(entry, &mut attempt, member) {
            Ok(admitted) => admitted,
            Err(refusal) => return Ok(self.settle(attempt, End::Throttled(refusal))),
        };
        let takes_all_stages = entry.is_asked_about || entry.is_rewritten() || self.shared.starts.take_all_stages();
        if takes_all_stages || !matches!(admitted, Admitted::Plain) {
            if let Some(health) = self.shared.starts.health() {
                return Err(Box::pin(self.ask_and_run(health, entry, attempt, admitted)));
            }
            return Err(Box::pin(self.decode_and_run(entry, attempt, admitted)));
        }
        let cx = self.context(entry, attempt.call_id, cx);
        let invoked = self.invoke(entry, cx, attempt.sent);
        self.end_or_wait(entry, attempt, cx, invoked)
    }

    /// Ends a call whose tool has answered at once, or returns the rest of the call.
    fn end_or_wait<'c>(
        &'c self,
        entry: &'c Entry,
        mut attempt: Attempt<'c>,
        cx: &'c CallContext,
        invoked: Invoked<'c>,
    ) -> Result<Outcome, Rest<'c>> {
        match invoked {
            Invoked::Answered(answer) => self.finish(entry, attempt, cx, answer),
            Invoked::Waiting(waiting) => {
                attempt.count();
                Err(Box::pin(async move {
                    match self.finish(entry, attempt, cx, waiting.await) {
                        Ok(outcome) => outcome,
                        Err(rest) => rest.await,
                    }
                }))
            }
            Invoked::Rejected(rejected) => Err(Box::pin(self.repair_and_run(entry, attempt, *rejected))),
        }
    }

    /// Ends a call that has run with the arguments that were sent, unless the tool has rejected them. Then the rest of the call repairs them.
    fn finish<'c>(
        &'c self,
        entry: &'c Entry,
        mut attempt: Attempt<'c>,
        cx: &CallContext,
        answer: Result<Answer, Interruption>,
    ) -> Result<Outcome, Rest<'c>> {
        cx.end_progress();
        match answer {
            Ok(Ok(payload)) => {
                let mut outcome = self.settle_result(entry, &mut attempt, payload);
                self.inspect(entry, attempt.sent, &mut outcome);
                Ok(outcome)
            }
            Ok(Err(CallError::Invalid(error))) => Err(Box::pin(self.repair_and_run(entry, attempt, error.into()))),
            answer => Ok(self.end(entry, attempt, answer, Parsed::NotYet)),
        }
    }

    /// Runs a call. If a hook has to decide about the call, or the throttle has to compare it with other calls, its arguments are decoded
    /// first. Otherwise, the arguments are only converted back from a provider's form.
    pub(super) async fn decode_and_run<'a>(
        &'a self,
        entry: &'a Entry,
        attempt: Attempt<'a>,
        admitted: Admitted,
    ) -> Outcome {
        let is_asked_about = self.is_asked_about(entry);
        let decoded = match admitted {
            Admitted::Decoded(decoded) => *decoded,
            Admitted::Plain if is_asked_about => self.decode(entry, attempt.sent),
            Admitted::Plain => return self.restore_and_run(entry, attempt).await,
        };
        if !is_asked_about && !decoded.is_final(entry) {
            // The tool decides itself: a tool without a type for its arguments checks them when it runs, and may accept more than its shape
            // does.
            return self
                .run(entry, CallContext::new(attempt.call_id, entry.position, Arc::clone(&self.scope)), attempt, None)
                .await;
        }
        let Decoded { rewritten, repairs, verdict, .. } = decoded;
        let arguments = rewritten.as_ref().map(Rewritten::arguments);
        // Shortens the lifetime: from here on, the attempt also borrows from the decoded arguments.
        let mut attempt = attempt;
        self.note(attempt.call_id, &mut attempt.ledger, repairs);
        attempt.changed = rewritten.as_ref().zip(arguments.as_ref()).map(|(text, arguments)| text.changed(arguments));
        let prepared = match verdict {
            Ok(Accepted { prepared, .. }) => prepared,
            Err(not_decoded) => {
                self.start(entry, &mut attempt);
                let (answer, tree) = not_decoded.into_answer();
                return self.end(entry, attempt, answer, tree);
            }
        };
        let cx = CallContext::new(attempt.call_id, entry.position, Arc::clone(&self.scope));
        let mut supplied = HostArguments::new();
        if is_asked_about {
            match self.approve(entry, &cx, &attempt, &mut supplied).await {
                Ok(Verdict::Run | Verdict::RunWith(_)) if !entry.tool.spec().external => {
                    if self.shared.starts.are_detached() {
                        return self.hand_over(entry, attempt, supplied);
                    }
                    self.start(entry, &mut attempt);
                }
                Ok(Verdict::Run | Verdict::RunWith(_) | Verdict::Defer) => return self.defer(entry, attempt, supplied),
                Ok(Verdict::Deny(reason)) => {
                    self.start(entry, &mut attempt);
                    return self.settle(attempt, End::Refused(Failure::denied(&entry.name, &reason)));
                }
                Err(interruption) => {
                    self.start(entry, &mut attempt);
                    return self.settle(attempt, End::Undecided { entry, interruption });
                }
            }
        }
        if let Some(host) = &entry.tool.spec().host {
            return self.run_with_host(entry, host, cx, attempt, &supplied).await;
        }
        self.run(entry, cx, attempt, prepared).await
    }

    /// Converts the arguments of a call back from a provider's form, and runs it.
    async fn restore_and_run<'a>(&'a self, entry: &'a Entry, attempt: Attempt<'a>) -> Outcome {
        let cx = CallContext::new(attempt.call_id, entry.position, Arc::clone(&self.scope));
        let Restored { text, repairs, .. } = match self.restore(entry, attempt.sent) {
            None => return self.run(entry, cx, attempt, None).await,
            Some(Ok(restored)) => restored,
            Some(Err(not_decoded)) => {
                let (answer, tree) = not_decoded.into_answer();
                return self.end(entry, attempt, answer, tree);
            }
        };
        let arguments = Arguments::from(&*text);
        let is_repaired = !repairs.is_empty();
        let mut attempt = attempt;
        self.note(attempt.call_id, &mut attempt.ledger, repairs);
        attempt.changed = Some(Changed::Restored { arguments: &arguments, is_repaired });
        self.run(entry, cx, attempt, None).await
    }

    /// Repairs the arguments that the tool has rejected, and runs the call if no issue remains. The tool did not run when it rejected the
    /// arguments, so it runs at most once.
    async fn repair_and_run<'a>(&'a self, entry: &'a Entry, attempt: Attempt<'a>, rejected: Rejected<'a>) -> Outcome {
        let (text, repairs, tree, left) = match self.repair(entry, attempt.arguments(), rejected) {
            Ok(Repaired { text, repairs, tree, left }) => (text, repairs, tree, left),
            Err(not_repaired) => {
                let (answer, tree) = not_repaired.into_answer();
                return self.end(entry, attempt, answer, tree);
            }
        };
        let arguments = Arguments::from(&*text);
        let mut attempt = attempt;
        self.note(attempt.call_id, &mut attempt.ledger, repairs);
        attempt.changed = Some(Changed::Repaired(&arguments));
        if let Some(error) = left {
            return self.end(entry, attempt, Ok(Err(CallError::Invalid(error))), Parsed::Tree(tree));
        }
        let cx = CallContext::new(attempt.call_id, entry.position, Arc::clone(&self.scope));
        self.run(entry, cx, attempt, None).await
    }

    /// Runs a tool. Arguments that the tool rejects are repaired once, unless a hook has already approved them.
    pub(super) async fn run<'a>(
        &'a self,
        entry: &'a Entry,
        cx: CallContext,
        attempt: Attempt<'a>,
        prepared: Option<Prepared>,
    ) -> Outcome {
        let mut attempt = attempt;
        attempt.count();
        let attempt = if self.shared.starts.are_recorded() {
            match Box::pin(self.record_start(entry, &cx, attempt)).await {
                Ok(attempt) => attempt,
                Err(outcome) => return outcome,
            }
        } else {
            attempt
        };
        let cx = cx.with_prepared(prepared, attempt.arguments());
        let is_repairable = attempt.is_repairable() && !entry.is_asked_about;
        let answer = match self.invoke(entry, &cx, attempt.arguments()) {
            Invoked::Answered(answer) => answer,
            Invoked::Waiting(waiting) => waiting.await,
            Invoked::Rejected(rejected) if is_repairable => {
                return Box::pin(self.repair_and_run(entry, attempt, *rejected)).await;
            }
            Invoked::Rejected(rejected) => {
                let (answer, tree) = NotDecoded::Rejected(*rejected).into_answer();
                return self.end(entry, attempt, answer, tree);
            }
        };
        cx.end_progress();
        match answer {
            Ok(Err(CallError::Invalid(error))) if is_repairable => {
                Box::pin(self.repair_and_run(entry, attempt, error.into())).await
            }
            answer => self.end(entry, attempt, answer, Parsed::NotYet),
        }
    }

    /// Ends a call that has reached its tool.
    pub(super) fn end<'a>(
        &'a self,
        entry: &'a Entry,
        attempt: Attempt<'a>,
        answer: Result<Answer, Interruption>,
        tree: Parsed<Json<'a>>,
    ) -> Outcome {
        let arguments = attempt.arguments();
        let mut outcome = self.settle(attempt, End::Answered { entry, answer, tree });
        self.inspect(entry, arguments, &mut outcome);
        outcome
    }
}
