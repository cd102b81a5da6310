//! The engine over Restate: [`RestateEngine`] drives a run, and records each step in a journal.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use restate_sdk::context::ContextWriteState;
use restate_sdk::serde::Json;
use serde::{Deserialize, Serialize};
use tool_chat::run::{Next, Record, Run, UnexpectedRecordError};
use tool_runtime::Session;
use tool_runtime::session::{CallRequest, Completion, Outcome};

use super::deferred_calls::AwaitingCall;
use super::running_calls::{Bounds, Ending, RemoteCall, RunningCalls};
use super::sharing::HealthSharing;
use super::steps::{Interrupted, Steps};
use super::storage::{CONVERSATION, Stored, WAITING};
use crate::ask_model::{ask_model, call_as_text};
use crate::engine_trait::Engine;
use crate::private::internal;

/// The outcomes of calls, each with the index of its call in the step.
type Ended = Vec<(usize, Outcome)>;

/// The calls of a step, after the hooks and the throttle have decided about them.
#[derive(Serialize, Deserialize)]
struct Admitted {
    ended: Ended,
    detached: Vec<RemoteCall>,
    most: Option<usize>,
}

pub(super) struct RestateEngine<'a, 'ctx> {
    pub(super) steps: Steps<'a, 'ctx>,
    pub(super) sharing: Option<&'a HealthSharing>,
}

impl RestateEngine<'_, '_> {
    /// Begins a turn and returns the run. For a new conversation, the step contains the run, so that its settings do not change when the
    /// turn is repeated.
    pub(super) async fn begin(&mut self, stored: Option<Run>, prompt: String) -> Result<Run, Interrupted> {
        let (is_done, waiting) = match stored.as_ref().map(Run::next) {
            Some(Next::Wait(calls)) => {
                (false, calls.iter().map(|call| call.call.outcome.call_id().to_owned()).collect())
            }
            Some(Next::Done(_)) => (true, Vec::new()),
            _ => (false, Vec::new()),
        };
        let new = stored.is_none().then(|| Box::new(self.steps.parts.setup.run.clone()));
        let begin = move |session: Session| async move {
            // If calls still wait, the invocation of the last turn was killed.
            for call_id in &waiting {
                session.cancel(call_id);
            }
            if is_done {
                session.end_turn();
            }
            session.begin_turn();
            Ok(new)
        };
        let (new, _) = self.steps.take("begin", begin).await?;
        let mut run = stored.or_else(|| new.map(|run| *run)).unwrap_or_default();
        run.apply_record(Record::from_prompt(prompt))?;
        Ok(run)
    }

    /// Stores the conversation in its object.
    pub(super) fn store(&self, run: &Run) {
        if let Some(session) = self.steps.state.clone() {
            self.steps.ctx.set(CONVERSATION, Json(Stored { run: run.clone(), session }));
        }
    }

    /// Stops a turn whose invocation was cancelled. For calls whose tools may be running, the model reads that their effect is unknown.
    pub(super) async fn stop(&mut self, run: &mut Run) -> Result<(), Interrupted> {
        let open: Vec<(usize, String)> = match run.next() {
            Next::Call(calls) => calls.iter().map(|open| (open.index, open.call.id.clone())).collect(),
            Next::Wait(calls) => {
                calls.iter().map(|call| (call.index, call.call.outcome.call_id().to_owned())).collect()
            }
            _ => Vec::new(),
        };
        let is_waiting = matches!(run.next(), Next::Wait(_));
        let stop = move |session: Session| async move {
            let mut ended = Ended::new();
            for call in session.deferred_calls() {
                let Some((index, call_id)) = open.iter().find(|(_, id)| id == call.call_id()) else { continue };
                session.cancel(call_id);
                if !is_waiting {
                    let outcome = internal::effect_unknown(&session, call_id, call.tool_name(), &call.arguments_text());
                    ended.push((*index, outcome));
                }
            }
            Ok(ended)
        };
        let (ended, took) = self.steps.take("stop", stop).await?;
        record(run, ended, took)?;
        if !matches!(run.next(), Next::Done(_) | Next::Prompt) {
            run.apply_record(Record::from_stopped_turn([]))?;
        }
        Ok(())
    }

    /// Passes the ends of detached calls to the session and to the run.
    async fn settle(&mut self, run: &mut Run, ends: Vec<(RemoteCall, Ending)>) -> Result<(), Interrupted> {
        let settle = move |session: Session| async move {
            let mut ended = Ended::with_capacity(ends.len());
            for (call, ending) in ends {
                let RemoteCall { index, call_id, tool, arguments, .. } = call;
                let outcome = match ending {
                    Ending::Outcome(outcome) => internal::put_back(&session, &call_id, outcome)?,
                    Ending::Cancelled => session.complete(&call_id, Completion::cancelled())?,
                    Ending::Unknown => {
                        session.cancel(&call_id);
                        internal::effect_unknown(&session, &call_id, &tool, &arguments)
                    }
                    Ending::Answered(answer) => match answer.into_completion() {
                        Err(completion) => session.complete(&call_id, completion)?,
                        Ok(_) => continue,
                    },
                };
                ended.push((index, outcome));
            }
            Ok(ended)
        };
        let (ended, took) = self.steps.take("settle", settle).await?;
        record(run, ended, took)?;
        Ok(())
    }
}

/// Applies the outcomes of calls to the run. The time is counted only for the first of them.
fn record(run: &mut Run, ended: Ended, took: Duration) -> Result<(), UnexpectedRecordError> {
    let mut took = Some(took);
    for (index, outcome) in ended {
        run.apply_record(
            Record::from_call_end(index, outcome).with_time_since_previous(took.take().unwrap_or_default()),
        )?;
    }
    Ok(())
}

impl Engine for RestateEngine<'_, '_> {
    type Error = Interrupted;

    async fn ask(&mut self, run: &mut Run) -> Result<(), Interrupted> {
        let (left, at) = (run.time_left(), self.steps.at);
        let (model, typed) = (Arc::clone(&self.steps.parts.setup.model), self.steps.parts.setup.answering);
        // The run is moved into the step and back, so that it need not be copied.
        let shared = Arc::new(Mutex::new(Some(std::mem::take(run))));
        let lender = Arc::clone(&shared);
        let ask = move |session: Session| async move {
            let take = || lender.lock().unwrap_or_else(PoisonError::into_inner).take();
            let mut run = take().unwrap_or_default();
            let clock = internal::clock(&session);
            let left = left.map(|left| left.saturating_sub(clock.unix_time().saturating_sub(at)));
            let record = ask_model(&session, &*model, &*clock, &mut run, left, typed, &mut |_| {}).await;
            *lender.lock().unwrap_or_else(PoisonError::into_inner) = Some(run);
            Ok(record)
        };
        let answered = self.steps.take("ask", ask).await;
        *run = shared.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
        let (record, took) = answered?;
        if let Some(event) = call_as_text(&record) {
            self.steps.parts.report_event(&event);
        }
        run.apply_record(record.with_time_since_previous(took))?;
        Ok(())
    }

    async fn call(&mut self, run: &mut Run) -> Result<(), Interrupted> {
        let Next::Call(open) = run.next() else { return Ok(()) };
        let requests: Vec<CallRequest<'static>> = open
            .iter()
            .map(|open| {
                let arguments = open.arguments().to_owned();
                CallRequest::new(open.call.id.clone(), open.call.name.clone(), arguments).cut_off(open.is_cut_off)
            })
            .collect();
        let indices: Vec<usize> = open.iter().map(|open| open.index).collect();
        let admit = move |session: Session| async move {
            let outcomes = session.call_batch(requests).await.into_outcomes();
            let mut detached = internal::take_detached(&session);
            let waiting = session.deferred_calls();
            let (mut ended, mut calls) = (Ended::new(), Vec::new());
            for (index, outcome) in indices.into_iter().zip(outcomes) {
                let at = detached.iter().position(|call| call.call_id == outcome.call_id());
                let Some(call) = at.map(|at| detached.remove(at)) else {
                    ended.push((index, outcome));
                    continue;
                };
                let arguments = waiting.iter().find(|waits| waits.call_id() == call.call_id);
                let arguments = arguments.map(|waits| waits.arguments_text().into_owned()).unwrap_or_default();
                calls.push(RemoteCall::new(index, call, arguments));
            }
            Ok(Admitted { ended, detached: calls, most: internal::max_concurrency(&session) })
        };
        let (Admitted { ended, detached, most }, took) = self.steps.take("admit", admit).await?;
        record(run, ended, took)?;
        let (Some(state), false) = (&self.steps.state, detached.is_empty()) else { return Ok(()) };
        let left = run.time_left();
        let until = left.map(|left| self.steps.at.saturating_add(left));
        let bounds = Bounds { most: most.unwrap_or(usize::MAX), left, until };
        let mut running = RunningCalls::new(self.steps.ctx, state, bounds, self.sharing);
        for call in detached {
            running.add(call);
        }
        let ends = running.end().await?;
        self.settle(run, ends).await
    }

    async fn wait(&mut self, run: &mut Run) -> Result<bool, Interrupted> {
        let Next::Wait(calls) = run.next() else { return Ok(true) };
        let waiting: Vec<(usize, String)> =
            calls.iter().map(|call| (call.index, call.call.outcome.call_id().to_owned())).collect();
        let list = move |session: Session| async move {
            let deferred = session.deferred_calls();
            let calls = waiting.into_iter().filter_map(|(index, call_id)| {
                let arguments = deferred.iter().find(|call| call.call_id() == call_id)?.arguments_text().into_owned();
                Some(RemoteCall::new(index, internal::detached_of_deferred(&session, &call_id)?, arguments))
            });
            Ok((calls.collect::<Vec<_>>(), internal::max_concurrency(&session)))
        };
        let ((calls, most), _) = self.steps.take("wait", list).await?;
        let Some(state) = &self.steps.state else { return Ok(false) };
        let bounds = Bounds { most: most.unwrap_or(usize::MAX), left: None, until: None };
        let mut running = RunningCalls::new(self.steps.ctx, state, bounds, self.sharing);
        let mut shown = Vec::with_capacity(calls.len());
        for call in calls {
            let (call_id, tool, arguments) = (call.call_id.clone(), call.tool.clone(), call.arguments.clone());
            shown.push(AwaitingCall { call_id, tool, arguments, awakeable: running.ask(call) });
        }
        self.store(run);
        self.steps.ctx.set(WAITING, Json(shown));
        let ends = running.end().await?;
        self.steps.ctx.clear(WAITING);
        self.settle(run, ends).await?;
        Ok(true)
    }
}
