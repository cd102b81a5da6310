//! One step: a request to the model, its calls, and their outcomes.
//!
//! Invariants: a step is added to the history as a whole or not at all. When the time is up, waiting calls are cancelled and answered.

use std::collections::HashSet;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use tool_runtime::session::{Outcome, Session};
use tool_runtime::tool_schema::schema::Definitions;

use super::corrections::Verdict;
use super::limits::Spent;
use super::made::Made;
use super::turn::Turn;
use super::watch::{Watch, inputs, shapes};
use super::{Conversation, End, Event};
use crate::model::{Assembler, Delta, ModelError, Request, Response, StopReason, ToolCall, ToolChoice, next_delta};
use crate::private::siblings;
use crate::transcript::{Call, Entry};

/// The number of pieces that are read before the executor may run other tasks.
const DELTAS_AT_ONCE: usize = 32;

impl Conversation {
    /// Sends a request to the model. Returns `None` if the time limit was reached while the answer arrived.
    pub(super) async fn answer(&self, turn: &Turn, choice: Option<ToolChoice>) -> Result<Option<Answer>, ModelError> {
        // If the toolbox is for a provider, the tools are advertised in the provider's form.
        let (renditions, definitions) = match self.session.renditions() {
            Some(renditions) => (Some(renditions), None),
            None => (None, Some(self.session.definitions(self.model.format()))),
        };
        let none = Definitions::default();
        let tools =
            renditions.as_ref().map(|renditions| renditions.definitions()).or(definitions.as_deref()).unwrap_or(&none);
        // The reminder is not a part of the history, so the next turn does not see it.
        let messages = self.history.messages(self.system(), self.session.reminder());
        let mut options = self.options.clone();
        options.tool_choice = choice.unwrap_or(options.tool_choice);
        let request = Request::new(&messages, tools, &options);
        self.tell(&Event::Requested { turn: turn.number, step: turn.step, request });
        if self.streams {
            return self.read(turn, request).await;
        }
        self.model.complete(request).await.map(|response| Some(Answer::new(response)))
    }

    /// Reads an answer piece by piece. A server whose next piece is always ready must neither block the executor nor outlast the turn: the
    /// timer is only polled while this future is pending.
    async fn read(
        &self,
        &Turn { number: turn, step, ref spent, .. }: &Turn,
        request: Request<'_>,
    ) -> Result<Option<Answer>, ModelError> {
        let mut stream = self.model.stream(request);
        let inputs = inputs(&self.session);
        let shapes = shapes(&inputs);
        let (mut assembler, mut watch) = (Assembler::new(), Watch::new(&shapes));
        let mut deltas = 0_usize;
        while let Some(delta) = next_delta(&mut stream).await {
            let delta = delta?;
            if self.limits.time_left(spent, self.clock.now()).is_some_and(|left| left.is_zero()) {
                return Ok(None);
            }
            deltas += 1;
            if deltas.is_multiple_of(DELTAS_AT_ONCE) {
                yield_now().await;
            }
            self.tell(&Event::Delta { turn, step, delta: &delta });
            let piece =
                if let Delta::Call { index, arguments, .. } = &delta { Some((*index, arguments.len())) } else { None };
            assembler.push(delta);
            let Some((index, length)) = piece else { continue };
            let Some((place, call)) = assembler.at(index) else { continue };
            let tool = &call.name;
            let piece = &call.arguments[call.arguments.len() - length..];
            if watch.is_lost(place, tool, piece, |issues| self.tell(&Event::Doubtful { turn, step, tool, issues })) {
                self.tell(&Event::CutOff { turn, step, tool });
                return Ok(Some(Answer { response: assembler.finish(), is_cut: true }));
            }
        }
        Ok(Some(Answer::new(assembler.finish())))
    }

    /// Returns the current system message.
    fn system(&self) -> String {
        let containers = self.session.instructions();
        let parts = [self.instructions.as_str(), containers.as_str()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
    }

    /// Makes the calls of an answer.
    pub(super) async fn call(&mut self, turn: &mut Turn, response: Response, is_cut: bool) -> Made {
        turn.spent.calls += response.calls.len();
        let begun = self.clock.now();
        let outcomes = self.outcomes(turn, &response.calls, is_cut).await;
        self.spend(&mut turn.spent, None, begun);
        let outcomes: Vec<Arc<Outcome>> = outcomes.into_iter().map(Arc::new).collect();
        let first = self.transcript.entries().len();
        for (call, outcome) in response.calls.iter().zip(&outcomes) {
            let ToolCall { name, arguments, .. } = call.clone();
            let (turn, step, outcome) = (turn.number, turn.step, Arc::clone(outcome));
            self.transcript.push(Entry::Called(Call { turn, step, name, arguments, outcome }));
        }
        Made { text: response.text, calls: response.calls, thoughts: response.thoughts, outcomes, first }
    }

    /// Counts the outcomes of a step and adds it to the history. Returns the end of the turn if it ends here.
    pub(super) fn settle(&mut self, turn: &mut Turn, made: Made) -> Option<End> {
        let (number, step) = (turn.number, turn.step);
        let outcomes = made.outcomes.iter().map(|outcome| &**outcome);
        let verdict = turn.corrections.count(outcomes, self.limits.corrections, |tool, attempts| {
            self.tell(&Event::Refused { turn: number, step, tool, attempts });
        });
        let noted = made.noted(|name| self.is_shortened(name));
        self.history.step(noted);
        turn.step += 1;
        match verdict {
            Verdict::Go => None,
            Verdict::Finish => {
                turn.choice = Some(ToolChoice::None);
                None
            }
            Verdict::Exhausted(end) => Some(end),
        }
    }

    /// Returns the outcomes of the calls of one message.
    async fn outcomes(&self, turn: &Turn, calls: &[ToolCall], is_cut: bool) -> Vec<Outcome> {
        let _listening = self.listen(turn, calls);
        let unheard = Unheard { session: &self.session, calls };
        // Empty arguments mean no arguments, unless the answer was cut off before them.
        let arguments = |text| if is_cut && str::trim(text).is_empty() { "{" } else { text };
        let batch = calls.iter().map(|call| (call.id.as_str(), call.name.as_str(), arguments(&call.arguments)));
        let mut running = pin!(self.session.call_batch(batch));
        let outcomes = if let Some(batch) = self.in_time(&turn.spent, running.as_mut()).await {
            batch.into_outcomes()
        } else {
            // All calls that are running or waiting are answered now.
            unheard.cancel();
            let outcomes = running.await.into_outcomes().into_iter();
            outcomes
                .map(|outcome| if outcome.is_deferred() { siblings::cancelled(&outcome) } else { outcome })
                .collect()
        };
        unheard.are_heard();
        outcomes
    }

    /// Passes the progress of the calls of a step on to the listener of the conversation, if there is one.
    fn listen(
        &self,
        &Turn { number: turn, step, .. }: &Turn,
        calls: &[ToolCall],
    ) -> Option<siblings::ProgressListener> {
        let listener = Arc::clone(self.listener.as_ref()?);
        // Other conversations may call in the same session.
        let own: HashSet<String> = calls.iter().map(|call| call.id.clone()).collect();
        Some(siblings::listen(&self.session, move |progress| {
            let siblings::Progress { call_id, tool, done, total, message } = progress;
            if own.contains(call_id) {
                listener(&Event::Progressed { turn, step, call_id, tool, done, total, message });
            }
        }))
    }

    /// Awaits a future, or returns `None` if the time of the turn is up first.
    pub(super) async fn in_time<T>(&self, spent: &Spent, future: impl Future<Output = T>) -> Option<T> {
        let Some(left) = self.limits.time_left(spent, self.clock.now()) else { return Some(future.await) };
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
pub(super) struct Answer {
    pub(super) response: Response,
    /// Set if the answer may be incomplete.
    pub(super) is_cut: bool,
}

impl Answer {
    fn new(response: Response) -> Self {
        let is_cut = matches!(response.stop, StopReason::Length | StopReason::Filtered);
        Self { response, is_cut }
    }
}

/// Calls whose outcomes have not been received. If the turn is dropped, those that wait for the host are cancelled, because the
/// conversation could not use their answers.
struct Unheard<'c> {
    session: &'c Session,
    calls: &'c [ToolCall],
}

impl Unheard<'_> {
    fn cancel(&self) {
        for call in self.calls {
            self.session.cancel(&call.id);
        }
    }

    fn are_heard(mut self) {
        self.calls = &[];
    }
}

impl Drop for Unheard<'_> {
    fn drop(&mut self) {
        self.cancel();
    }
}
