//! The path of one call through its stages, from the text of a model to its [`Outcome`].
//!
//! | stage | file | does | may end the call with |
//! | --- | --- | --- | --- |
//! | resolve | `resolve.rs` | finds the tool by its name, or by a different spelling that only one tool fits (`names.rs`); handles containers (`expand.rs`); a call without a tool ends here (`unrun.rs`) | `unknown_tool`, `ambiguous_tool`, an expansion |
//! | admit | `admit.rs` | asks the throttle: pauses and rates | `throttled` |
//! | decode | `decode.rs` | decodes before anything runs, if a hook is asked or calls are compared; every other call is decoded where it runs; converts arguments back from a provider's form (`restore.rs`) | `validation_error`, `invalid_json` |
//! | repair | `repair.rs` | only if the arguments were rejected: applies repairs that are certain | `validation_error`, `invalid_json` |
//! | compare | `compare.rs` | only if calls of the tool are paused: compares the call with them | `throttled` |
//! | approve | `approve.rs` | asks the hooks, which may supply arguments of the host | `denied`, `deferred` |
//! | invoke | `invoke.rs` | runs the tool; panics, time limits (`limits.rs`), attempts (`retry.rs`) | `tool_error`, `timeout`, … |
//! | settle | `settle.rs` | every exit comes here: events, the failure and its text (`render.rs`), counting, the outcome | |
//! | inspect | `inspect.rs` | guards of results | (warnings) |
//!
//! An [`Attempt`] passes through these stages. Calls of a batch (`batch.rs`, `member.rs`), deferred calls (`deferred.rs`) and calls found
//! in a model's text take the same path. Invariant: every stage leads to an outcome. Stages that only some calls need are boxed, to keep
//! the future of the other calls small.

use std::future::Future;
use std::sync::Arc;

use super::admit::Admitted;
use super::attempt::{Attempt, Changed, End, NotDecoded};
use super::decode::{Accepted, Decoded, Rewritten};
use super::generation::Generation;
use super::invoke::{Interruption, Invoked};
use super::member::Member;
use super::repair::Repaired;
use super::resolve::Planned;
use super::restore::Restored;
use super::{Outcome, Session};
use crate::context::{CallContext, Prepared};
use crate::decode::{Parsed, Rejected};
use crate::event::Decision;
use crate::failure::Failure;
use crate::hook::{HostArguments, Verdict};
use crate::input::Arguments;
use crate::json::Json;
use crate::tool::{Answer, CallError};
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
            let trace = current.trace(call_id, name, &arguments);
            trace.around(current.answer(call_id, name, arguments, None)).await
        }
    }
}

impl Generation {
    #[expect(clippy::manual_async_fn, reason = "an async fn moves its arguments once more when it is first polled")]
    pub(super) fn answer<'a>(
        &'a self,
        call_id: &'a str,
        name: &'a str,
        arguments: Arguments<'a>,
        member: Option<Box<Member<'a>>>,
    ) -> impl Future<Output = Outcome> + Send {
        async move {
            self.observe(call_id, || Decision::Received { name, arguments: &arguments });
            let Planned { entry, inner, ledger } = match self.resolve(call_id, name, &arguments) {
                Ok(planned) => planned,
                Err(unrun) => return self.answer_unrun(call_id, *unrun, &arguments, member),
            };
            let sent = inner.as_ref().unwrap_or(&arguments);
            let mut attempt = Attempt::new(call_id, &entry.name, sent, ledger);
            let admitted = match self.admit(entry, &mut attempt, member) {
                Ok(admitted) => admitted,
                Err(refusal) => return self.settle(attempt, End::Throttled(refusal)),
            };
            let takes_all_stages = entry.is_asked_about || entry.is_rewritten || self.shared.starts.are_recorded();
            if takes_all_stages || !matches!(admitted, Admitted::Plain) {
                // Boxed, to keep the future of calls that take the short path small.
                return Box::pin(self.decode_and_run(entry, attempt, admitted)).await;
            }
            let mut cx = CallContext::unnamed(entry.position, Arc::clone(&self.scope));
            cx.name(attempt.call_id);
            let rejected = 'rejected: {
                let answer = match self.invoke(entry, &cx, sent) {
                    Invoked::Answered(answer) => answer,
                    Invoked::Waiting(waiting) => {
                        attempt.count();
                        waiting.await
                    }
                    Invoked::Rejected(rejected) => break 'rejected rejected,
                };
                cx.end_progress();
                match answer {
                    Ok(Ok(payload)) => {
                        let mut outcome = self.settle_result(entry, &mut attempt, cx.take_call_id(), payload);
                        self.inspect(entry, sent, &mut outcome);
                        return outcome;
                    }
                    Ok(Err(CallError::Invalid(error))) => Box::new(error.into()),
                    answer => return self.end(entry, attempt, answer, Parsed::NotYet),
                }
            };
            // Boxed, to keep the future of accepted calls small.
            Box::pin(self.repair_and_run(entry, attempt, *rejected)).await
        }
    }

    /// Decodes the arguments of a call before it runs, for a hook or for a comparison with other calls, or converts them back from a
    /// provider's form.
    async fn decode_and_run<'a>(&'a self, entry: &'a Entry, mut attempt: Attempt<'a>, admitted: Admitted) -> Outcome {
        let is_asked_about = self.is_asked_about(entry);
        if !is_asked_about && matches!(admitted, Admitted::Plain) {
            return self.restore_and_run(entry, attempt).await;
        }
        let is_compared = matches!(admitted, Admitted::Compared);
        let decoded = match admitted {
            Admitted::Decoded(decoded) => *decoded,
            Admitted::Plain | Admitted::Compared => self.decode(entry, attempt.sent),
        };
        if is_compared {
            let told = decoded.told(entry, attempt.sent);
            if let Err(refusal) = self.compare(entry, &mut attempt, told) {
                return self.settle(attempt, End::Throttled(refusal));
            }
        }
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

    /// Repairs the arguments that the tool has rejected, and runs the call if its meaning is certain. The rejected call did not run, so a
    /// call runs at most once.
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
