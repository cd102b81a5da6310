//! The path of one call through its stages, from the text of a model to its [`Outcome`].
//!
//! | stage | file | does | may end the call with |
//! | --- | --- | --- | --- |
//! | resolve | `resolve.rs` | finds the tool by its name, or a certain respelling (`names.rs`); handles containers | `unknown_tool`, `ambiguous_tool`, an expansion |
//! | admit | `admit.rs` | asks the throttle: pauses, rates, repetitions | `throttled` |
//! | invoke | `invoke.rs` | decodes and runs the tool; panics, time limits (`limits.rs`), attempts (`retry.rs`) | |
//! | repair | `repair.rs` | only if the arguments were rejected: repairs them, and invokes once more | `validation_error`, `invalid_json` |
//! | approve | `approve.rs` | only if a host wants to be asked: decodes and repairs first, asks, then admits and invokes what was decoded | `denied`, `deferred` |
//! | settle | `settle.rs` | events, the failure and its text (`render.rs`), the outcome, counting | |
//! | inspect | `inspect.rs` | guards of results | (warnings) |
//!
//! Calls of a batch (`batch.rs`), deferred calls (`deferred.rs`) and calls that were found in a text take the same path. Invariant: every
//! stage leads to an outcome; stages that only some calls need are boxed, so that the future of the others stays small.

use std::future::Future;
use std::sync::Arc;

use super::invoke::Invoked;
use super::member::{Member, batch_of};
use super::resolve::{Diverted, Planned};
use super::sent::Sent;
use super::settle::Ended;
use super::{Outcome, Session};
use crate::context::CallContext;
use crate::event::Decision;
use crate::input::Arguments;
use crate::tool::CallError;

impl Session {
    /// Answers one call. Calls may run at the same time, and two of them may have the same id.
    ///
    /// Nothing happens before the future is awaited. No executor is needed: a sync tool is done at the first poll.
    ///
    /// ```
    /// # use tool_runtime::Toolbox;
    /// let session = Toolbox::builder().build()?.session();
    /// let outcome = pollster::block_on(session.call("call_1", "get_weather", r#"{"location": "Paris"}"#));
    /// assert!(!outcome.is_ok());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn call<'a>(
        &'a self,
        call_id: &'a str,
        name: &'a str,
        arguments: impl Into<Arguments<'a>>,
    ) -> impl Future<Output = Outcome> + Send {
        let arguments = arguments.into();
        let trace = self.trace(call_id, name, &arguments);
        trace.around(self.answer(call_id, name, arguments, None))
    }

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
                Err(diverted) => return self.divert(call_id, *diverted, &arguments, member),
            };
            let own = inner.as_ref().unwrap_or(&arguments);
            if entry.is_asked_about {
                // Boxed, so that the future of a call that nobody asks about is not as large.
                return Box::pin(self.approve(call_id, entry, own.lent(), ledger, member)).await;
            }
            let admitted = match self.admit(entry, own, member) {
                Ok(admitted) => admitted,
                Err(refusal) => return self.throttled(call_id, &entry.name, refusal, ledger),
            };
            let cx = CallContext::new(call_id, Arc::clone(&self.0.scope));
            let answer = match self.invoke(entry, &cx, own) {
                Invoked::Answered(answer) => answer,
                Invoked::Waiting(waiting) => waiting.await,
                // Boxed, so that the future of a good call is not as large as that of a bad one.
                Invoked::Rejected(rejected) => {
                    return Box::pin(self.repair_and_run(call_id, entry, own, ledger, *rejected, admitted)).await;
                }
            };
            let result = match answer {
                Ok(Ok(payload)) => {
                    self.succeeded(call_id, entry, &payload);
                    Ok(payload)
                }
                Ok(Err(CallError::Invalid(error))) => {
                    return Box::pin(self.repair_and_run(call_id, entry, own, ledger, error.into(), admitted)).await;
                }
                answer => self.settle(call_id, entry, answer, &Sent::new(own)),
            };
            self.conclude(Ended { call_id: cx.into_call_id(), result, ledger, repaired: None, admitted }, entry, own)
        }
    }

    /// Answers a call that runs no tool.
    #[cold]
    fn divert(
        &self,
        call_id: &str,
        diverted: Diverted,
        arguments: &Arguments<'_>,
        member: Option<Box<Member<'_>>>,
    ) -> Outcome {
        match diverted {
            Diverted::Expand(container, ledger) => self.expand(call_id, container, ledger, batch_of(member.as_deref())),
            Diverted::Stopped(stopped) => self.stop(call_id, stopped, arguments, member),
            Diverted::Answered(outcome) => outcome,
        }
    }
}
