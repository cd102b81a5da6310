//! One step: the model is asked, its calls are made, and what came of them is noted.
//!
//! In: the conversation so far. Out: the answer of the model, then the verdict on its calls. What always holds: a step is noted as a whole
//! or not at all; when the time is up, calls that wait are cancelled and answered like any other.

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

/// How many deltas are taken before the executor is given the word.
const DELTAS_AT_ONCE: usize = 32;

impl Conversation {
    /// Asks the model; `None` where the time of the turn was up while the answer came.
    pub(super) async fn answer(&self, turn: &Turn, choice: Option<ToolChoice>) -> Result<Option<Answer>, ModelError> {
        // What a provider was chosen for is advertised in its form.
        let (renditions, definitions) = match self.session.renditions() {
            Some(renditions) => (Some(renditions), None),
            None => (None, Some(self.session.definitions(self.model.format()))),
        };
        let none = Definitions::default();
        let tools =
            renditions.as_ref().map(|renditions| renditions.definitions()).or(definitions.as_deref()).unwrap_or(&none);
        let messages = self.history.messages(self.system());
        let mut options = self.options.clone();
        options.tool_choice = choice.unwrap_or(options.tool_choice);
        let request = Request::new(&messages, tools, &options);
        self.tell(&Event::Requested { turn: turn.number, step: turn.step, request });
        if self.streams {
            return self.read(turn, request).await;
        }
        self.model.complete(request).await.map(|response| Some(Answer::new(response)))
    }

    /// Takes an answer piece by piece. A server that always has the next piece ready is not allowed to keep the executor for itself, nor to
    /// outlast the turn: whoever polls this looks at the time only when it waits.
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

    /// What the system message says now.
    fn system(&self) -> String {
        let containers = self.session.instructions();
        let parts = [self.instructions.as_str(), containers.as_str()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
    }

    /// Makes the calls of an answer.
    pub(super) async fn call(&mut self, turn: &mut Turn, response: Response, is_cut: bool) -> Made {
        turn.spent.calls += response.calls.len();
        let begun = self.clock.now();
        let outcomes = self.outcomes(&response.calls, is_cut, &turn.spent).await;
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

    /// Counts and notes the answers to the calls of a step; how the turn ends if it does.
    pub(super) fn settle(&mut self, turn: &mut Turn, made: Made) -> Option<End> {
        let (number, step) = (turn.number, turn.step);
        let outcomes = made.outcomes.iter().map(|outcome| &**outcome);
        let verdict = turn.corrections.count(outcomes, self.limits.corrections, |tool, attempts| {
            self.tell(&Event::Refused { turn: number, step, tool, attempts });
        });
        self.history.step(made.noted());
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

    /// The answers to the calls of one message.
    async fn outcomes(&self, calls: &[ToolCall], is_cut: bool, spent: &Spent) -> Vec<Outcome> {
        let unheard = Unheard { session: &self.session, calls };
        // No arguments are none, unless they were still to come.
        let arguments = |text| if is_cut && str::trim(text).is_empty() { "{" } else { text };
        let batch = calls.iter().map(|call| (call.id.as_str(), call.name.as_str(), arguments(&call.arguments)));
        let mut running = pin!(self.session.call_batch(batch));
        let outcomes = if let Some(batch) = self.in_time(spent, running.as_mut()).await {
            batch.into_outcomes()
        } else {
            // Whatever runs or waits, for its turn or for the host, is answered now.
            unheard.cancel();
            let outcomes = running.await.into_outcomes().into_iter();
            outcomes
                .map(|outcome| if outcome.is_deferred() { siblings::cancelled(&outcome) } else { outcome })
                .collect()
        };
        unheard.are_heard();
        outcomes
    }

    /// What a future comes to, unless the time of the turn is up before.
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

/// Lets other tasks of the executor run.
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

/// What the model answered.
pub(super) struct Answer {
    pub(super) response: Response,
    /// Whether something may have been to follow.
    pub(super) is_cut: bool,
}

impl Answer {
    fn new(response: Response) -> Self {
        let is_cut = matches!(response.stop, StopReason::Length | StopReason::Filtered);
        Self { response, is_cut }
    }
}

/// Calls whose outcomes nobody knows yet. Where the turn is dropped meanwhile, those that wait for the host are cancelled: the conversation
/// has no place for their answers.
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
