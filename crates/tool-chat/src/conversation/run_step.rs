//! One step: a request to the model, its calls, and their outcomes.
//!
//! Invariant: when the time limit is reached, running and waiting calls are cancelled, so that every call has an answer.

use std::collections::HashSet;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, PoisonError};
use std::task::Poll;
use std::time::Duration;

use tool_runtime::session::{Outcome, Session};

use super::argument_watch::{Watch, inputs};
use super::{Conversation, ConversationEvent};
use crate::model::{DeltaAssembler, ModelError, ModelErrorKind, Request, Response, ToolCall, next_delta};
use crate::private::internal;
use crate::run::{AnswerRequest, Next, OpenCall, Record, UnexpectedRecordError};

/// After this many pieces, the executor may run other tasks.
const DELTAS_AT_ONCE: usize = 32;

impl Conversation {
    /// Sends a request to the model, and applies its answer.
    pub(super) async fn ask_model(&mut self, turn: usize, step: usize) -> Result<(), UnexpectedRecordError> {
        // The reminder is not a part of the history, so the next turn does not see it.
        let (instructions, reminder) = (self.session.instructions(), self.session.reminders());
        self.run.set_session_texts(&instructions, reminder.as_deref());
        let record = match self.in_time(self.request(turn, step)).await.and_then(Result::transpose) {
            None => Record::new_timed_out(),
            Some(Err(error)) => Record::from_model_error(error),
            Some(Ok(Answer { response, is_cut, typed })) => {
                self.report_event(&ConversationEvent::Answered { turn, step, response: &response });
                if let Some(typed) = typed {
                    let record = typed.response_to_record(response).with_cut_off(is_cut);
                    if let Record::Answered { rejection: Some(rejection), .. } = &record {
                        self.report_event(&ConversationEvent::AnswerRejected { turn, step, issues: &rejection.issues });
                    }
                    return self.apply(record);
                }
                let is_prose = response.calls.is_empty();
                let is_offered = is_prose && self.run.correction_tool().is_some_and(|tool| self.is_offered(tool));
                let mark = response.call_markup();
                let has_tools = mark.is_some() && !self.session.tools().is_empty();
                let record = Record::from_model_answer(response)
                    .with_cut_off(is_cut)
                    .with_correction_tool(is_offered)
                    .with_has_tools(has_tools);
                self.apply(record)?;
                if is_prose {
                    self.report_forced(turn, step);
                }
                if let Some(mark) = mark {
                    let is_asked_again = self.run.call_markup_in_answer().is_some();
                    self.report_event(&ConversationEvent::CallAsText { turn, step, mark, is_asked_again });
                }
                return Ok(());
            }
        };
        self.apply(record)
    }

    /// Returns `true` if the model can call this tool. Providers reject a tool choice that is not among the definitions.
    fn is_offered(&self, tool: &str) -> bool {
        self.session.tools().iter().any(|offered| offered.name() == tool)
    }

    /// Sends a request to the model. Returns `None` if the time limit was reached while the answer arrived.
    async fn request(&self, turn: usize, step: usize) -> Result<Option<Answer>, ModelError> {
        let Next::Ask(ask) = self.run.next() else {
            return Err(ModelError::new(ModelErrorKind::Mismatch, "the run does not ask the model"));
        };
        let dialect = self.session.dialect().unwrap_or_else(|| self.model.dialect());
        let tools = self.session.definitions_in(dialect);
        let typed = self.answering.map(|answer| answer.request(&ask, dialect, &*self.model, &tools));
        let typed = typed.transpose()?.map(Box::new);
        let request = typed.as_ref().map_or_else(|| ask.request(&tools), |typed| typed.request(ask.messages));
        if self.listener.is_some() {
            let lost = self.prefix.lock().unwrap_or_else(PoisonError::into_inner).compare(&request);
            if let Some(loss) = lost {
                self.report_event(&ConversationEvent::PrefixLost { turn, step, loss });
            }
        }
        self.report_event(&ConversationEvent::Requested { turn, step, request });
        if self.streams {
            let read = self.read(turn, step, request, typed.as_deref()).await?;
            return Ok(read.map(|(response, is_cut)| Answer { response, is_cut, typed }));
        }
        let response = self.model.complete(request).await?;
        Ok(Some(Answer { response, is_cut: false, typed }))
    }

    /// Reads an answer piece by piece, and returns it with `true` if the rest of it was not read. The timer is only polled while this future
    /// is pending. So the future yields now and then: otherwise, a server whose next piece is always ready would block the executor and
    /// exceed the time limit.
    async fn read(
        &self,
        turn: usize,
        step: usize,
        request: Request<'_>,
        typed: Option<&AnswerRequest>,
    ) -> Result<Option<(Response, bool)>, ModelError> {
        let mut stream = self.model.stream(request);
        let (mut assembler, mut watch) = (DeltaAssembler::new(), Watch::new(inputs(&self.session)));
        let mut deltas = 0_usize;
        while let Some(delta) = next_delta(&mut stream).await {
            let delta = delta?;
            if self.time_left().is_some_and(|left| left.is_zero()) {
                return Ok(None);
            }
            deltas += 1;
            if deltas.is_multiple_of(DELTAS_AT_ONCE) {
                yield_now().await;
            }
            self.report_event(&ConversationEvent::Delta { turn, step, delta: &delta });
            assembler.push(delta);
            // The answer is repaired as a whole, also if its text is not valid JSON.
            let is_call = |call: &ToolCall| typed.is_none_or(|typed| !typed.is_answer(call));
            let is_lost = assembler.added().filter(|(_, call, _)| is_call(call)).any(|(place, call, piece)| {
                let tool = &call.name;
                let doubt =
                    |issues: &[_]| self.report_event(&ConversationEvent::EarlyIssues { turn, step, tool, issues });
                let is_lost = watch.is_lost(place, tool, &call.arguments, piece, doubt);
                if is_lost {
                    self.report_event(&ConversationEvent::ArgumentsCutOff { turn, step, tool });
                }
                is_lost
            });
            if is_lost {
                return Ok(Some((assembler.finish(), true)));
            }
        }
        Ok(Some((assembler.finish(), false)))
    }

    /// Makes the open calls, and applies their outcomes.
    pub(super) async fn call(&mut self, turn: usize, step: usize) -> Result<(), UnexpectedRecordError> {
        for (index, outcome) in self.outcomes(turn, step).await {
            self.apply(Record::from_call_end(index, outcome))?;
        }
        self.report_rejected();
        Ok(())
    }

    /// Returns the outcomes of the open calls, with the indices of the calls.
    async fn outcomes(&self, turn: usize, step: usize) -> Vec<(usize, Outcome)> {
        let Next::Call(calls) = self.run.next() else { return Vec::new() };
        let _listening = self.listen(turn, step, &calls);
        let abandoned = AbandonedCalls { session: &self.session, calls: &calls };
        let mut running = pin!(self.session.call_batch(&calls));
        let outcomes = if let Some(batch) = self.in_time(running.as_mut()).await {
            batch.into_outcomes()
        } else {
            // After this, the batch returns at once: all calls that run or wait are answered as cancelled.
            abandoned.cancel();
            let outcomes = running.await.into_outcomes().into_iter();
            outcomes
                .map(|outcome| if outcome.is_deferred() { internal::cancelled(&outcome) } else { outcome })
                .collect()
        };
        abandoned.are_awaited();
        calls.iter().map(|call| call.index).zip(outcomes).collect()
    }

    /// Passes the progress of the calls of a step on to the listener of the conversation, if there is one.
    fn listen(&self, turn: usize, step: usize, calls: &[OpenCall<'_>]) -> Option<internal::ProgressListener> {
        let listener = Arc::clone(self.listener.as_ref()?);
        // Other conversations may make calls in the same session.
        let own: HashSet<String> = calls.iter().map(|open| open.call.id.clone()).collect();
        Some(internal::listen(&self.session, move |progress| {
            let internal::Progress { call_id, tool, done, total, message } = progress;
            if own.contains(call_id) {
                listener(&ConversationEvent::Progressed { turn, step, call_id, tool, done, total, message });
            }
        }))
    }

    /// Returns the remaining time of the turn if it is limited.
    fn time_left(&self) -> Option<Duration> {
        Some(self.run.time_left()?.saturating_sub(self.clock.now().saturating_sub(self.recorded)))
    }

    /// Awaits a future. Returns `None` if the time limit of the turn is reached first.
    async fn in_time<T>(&self, future: impl Future<Output = T>) -> Option<T> {
        let Some(left) = self.time_left() else { return Some(future.await) };
        let (mut future, mut alarm) = (pin!(future), self.clock.sleep(left));
        poll_fn(|cx| match future.as_mut().poll(cx) {
            Poll::Ready(output) => Poll::Ready(Some(output)),
            Poll::Pending => alarm.as_mut().poll(cx).map(|()| None),
        })
        .await
    }
}

/// Lets the executor run other tasks.
async fn yield_now() {
    let mut has_yielded = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut has_yielded, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// An answer of the model.
struct Answer {
    response: Response,
    /// `true` if the rest of the answer was not read.
    is_cut: bool,
    /// The request, if it asked for an answer of a type. It is boxed, because other answers are moved, too.
    typed: Option<Box<AnswerRequest>>,
}

/// Calls whose outcomes have not been received. If the turn is dropped, those that wait for the host are cancelled, because the
/// conversation could not use their answers.
struct AbandonedCalls<'c> {
    session: &'c Session,
    calls: &'c [OpenCall<'c>],
}

impl AbandonedCalls<'_> {
    fn cancel(&self) {
        for open in self.calls {
            self.session.cancel(&open.call.id);
        }
    }

    fn are_awaited(mut self) {
        self.calls = &[];
    }
}

impl Drop for AbandonedCalls<'_> {
    fn drop(&mut self) {
        self.cancel();
    }
}
