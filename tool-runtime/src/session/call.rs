//! The path of one call through its stages, from the text of a model to its [`Outcome`].
//!
//! | stage | file | does | may end the call with |
//! | --- | --- | --- | --- |
//! | resolve | `resolve.rs` | finds the tool by its name, or by a different spelling that only one tool fits (`find_name.rs`); handles containers (`expand.rs`) | `unknown_tool`, `ambiguous_tool`, an expansion |
//! | admit | `admit.rs` | asks the throttle: pauses and rates; if a pause depends on the arguments, these are decoded first | `throttled` |
//! | `ask_shared_health` | `ask_shared_health.rs` | asks the shared health of the tool, if there is one | `throttled` |
//! | decode | `decode.rs` | decodes and repairs the arguments before anything runs, if a hook is asked or calls are compared; every other call is decoded where it runs; converts arguments back from a provider's form (`undo_dialect.rs`) | `validation_error`, `invalid_json` |
//! | approve | `approve.rs` | asks the hooks, which may supply arguments of the host | `denied`, `deferred` |
//! | supply | `supply.rs` | adds the host's values to the arguments of a tool with host parameters | `validation_error`, `host_input` |
//! | `record_start` | `record_start.rs` | waits until the host has recorded that the tool starts | `internal_error` |
//! | invoke | `invoke.rs` | runs the tool; panics, time limits (`time_limit.rs`), attempts (`retry.rs`) | `tool_error`, `timeout`, … |
//! | `repair_rejected` | `repair_rejected.rs` | only if the tool rejected the arguments: applies repairs that are certain; the tool is then invoked again | `validation_error`, `invalid_json` |
//! | settle | `settle.rs` | every exit comes here: events, the failure and its text (`render.rs`), counting, the outcome | |
//! | `inspect_result` | `inspect_result.rs` | guards of results; a part of settle | (warnings) |
//!
//! One function calls the stages: [`SessionView::stages`]. An [`Attempt`] passes through them. Calls of a batch (`batch.rs`), calls that the host
//! has approved (`deferred.rs`), calls of other sessions (`for_sibling_crates.rs`) and calls found in a model's text take the same path. A call whose
//! tool returns a result at once may skip it (`fast.rs`), with the same outcome.

use std::future::Future;
use std::pin::Pin;

use super::attempt::{Attempt, CallStorage, End, Member};
use super::batch::BatchFuture;
use super::fast::{self, Fast, Started};
use super::invoke::Reaction;
use super::queue::{CallRequest, Queue};
use super::session_with_toolbox::SessionView;
use super::traced::{self, IS_TRACED};
use super::{Outcome, Session};
use crate::context::CallContext;
use crate::event::EventKind;
use crate::input::Arguments;
use crate::tool::Payload;

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
            let later = if IS_TRACED {
                let trace = traced::trace(&current, call_id, name, &arguments);
                Box::pin(trace.around(current.answer(call_id, name, &arguments, None, &mut cx)))
            } else {
                // The answer is not matched around the `await`, because the future would then contain it.
                match current.begin(call_id, name, &arguments, None, &mut cx) {
                    CallFuture::Done(outcome) => return outcome,
                    CallFuture::Later(later) => later,
                }
            };
            later.await
        }
    }

    /// Answers all calls that the model made at once. The calls run concurrently, and each is answered under its own id.
    ///
    /// The calls start in the given order, and each name is resolved when its call starts. So a member can be called after the call that
    /// expands its container, but not before. A call of a `sequential` tool starts when all earlier calls are answered, and later calls
    /// wait for its answer. [`max_concurrency`](BatchFuture::max_concurrency) limits the number of calls that run at once.
    ///
    /// [`cancel`](Self::cancel) cancels running and waiting calls of the batch. Two calls with the same id are both answered.
    /// Nothing happens before the batch is awaited. The batch needs no executor, and spawns no task.
    pub fn call_batch<'a, C: Into<CallRequest<'a>>>(&'a self, calls: impl IntoIterator<Item = C>) -> BatchFuture<'a> {
        let queue = Queue::new(&self.0.first.shared.running, calls.into_iter().map(Into::into));
        BatchFuture::new(self, queue)
    }
}

/// A call that has begun.
enum CallFuture<'a> {
    Done(Outcome),
    /// The call takes the stages. They are boxed, so that the future of every other call stays small.
    Later(Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>),
}

impl SessionView {
    /// Answers a call that a model made.
    pub(super) async fn answer<'a>(
        &'a self,
        call_id: &'a str,
        name: &'a str,
        arguments: &'a Arguments<'_>,
        member: Option<Box<Member<'a>>>,
        cx: &'a mut Option<Box<CallContext>>,
    ) -> Outcome {
        let later = match self.begin(call_id, name, arguments, member, cx) {
            CallFuture::Done(outcome) => return outcome,
            CallFuture::Later(later) => later,
        };
        later.await
    }

    fn begin<'a>(
        &'a self,
        call_id: &'a str,
        name: &'a str,
        arguments: &'a Arguments<'_>,
        member: Option<Box<Member<'a>>>,
        cx: &'a mut Option<Box<CallContext>>,
    ) -> CallFuture<'a> {
        if self.is_observed() {
            self.observe(call_id, || EventKind::Received { name, arguments });
        }
        let started = match fast::answer(self, call_id, name, arguments, member.is_some(), cx) {
            Fast::Answered(outcome) => return CallFuture::Done(outcome),
            Fast::Started(started) => Some(started),
            Fast::NotTaken => None,
        };
        CallFuture::Later(Box::pin(self.run_stages(call_id, name, arguments, member, started)))
    }

    /// Answers a call that takes the stages.
    pub(super) async fn run_stages<'a>(
        &'a self,
        call_id: &'a str,
        name: &'a str,
        arguments: &'a Arguments<'_>,
        member: Option<Box<Member<'a>>>,
        started: Option<Started<'a>>,
    ) -> Outcome {
        let storage = CallStorage::default();
        let mut call = Attempt::new(call_id, name, arguments, &storage);
        call.is_cut_off = member.as_ref().is_some_and(|member| member.is_cut_off);
        call.member = member;
        if let Some(started) = started {
            started.continue_in_stages(self, &mut call);
        }
        let result = self.stages(&mut call).await;
        self.settle(&mut call, result)
    }

    /// Runs a call, through every stage from its name to the result of its tool. The caller settles the call.
    pub(super) async fn stages<'a>(&'a self, call: &mut Attempt<'a>) -> Result<Payload, End<'a>> {
        // The tool is known if the host has approved the call, or if the tool was already called.
        let entry = if let Some(entry) = call.entry {
            entry
        } else {
            let entry = self.resolve(call)?;
            let decoded = self.admit(entry, call)?;
            self.ask_shared_health(entry, call).await?;
            self.decode(entry, call, decoded)?;
            self.approve(entry, call).await?;
            entry
        };
        self.supply(entry, call)?;
        loop {
            self.record_start(entry, call).await?;
            match self.invoke(entry, call).await? {
                Reaction::Result(payload) => return Ok(payload),
                Reaction::Rejected(rejected) if call.is_repairable(entry) => {
                    self.repair_rejected(entry, call, rejected)?;
                }
                Reaction::Rejected(rejected) => return Err(End::rejected(rejected)),
            }
        }
    }
}
