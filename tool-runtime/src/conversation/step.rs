//! One step: the model is asked, its calls are made, and what came of them is noted.
//!
//! In: the conversation so far. Out: the answer of the model, then the verdict on its calls. What always holds: a step is noted as a whole
//! or not at all; when the time is up, calls that wait are cancelled and answered like any other.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use super::corrections::{Corrections, Verdict, counted};
use super::history::{Called, Step};
use super::limits::Spent;
use super::watch::{Watch, inputs, shapes};
use super::{Conversation, Event};
use crate::model::{Assembler, Delta, ModelError, Request, Response, ToolCall, ToolChoice, next_delta};
use crate::session::Outcome;
use crate::transcript::{Call, Entry};

impl Conversation {
    /// Asks the model.
    pub(super) async fn answer(
        &self,
        turn: usize,
        step: usize,
        choice: Option<ToolChoice>,
    ) -> Result<Response, ModelError> {
        let tools = self.session.definitions(self.model.format());
        let messages = self.history.messages(self.system(), self.context);
        let mut options = self.options.clone();
        options.tool_choice = choice.unwrap_or(options.tool_choice);
        let request = Request { messages: &messages, tools: &tools, options: &options };
        self.tell(&Event::Requested { turn, step, request });
        if self.streams { self.read(turn, step, request).await } else { self.model.complete(request).await }
    }

    /// Takes an answer piece by piece.
    async fn read(&self, turn: usize, step: usize, request: Request<'_>) -> Result<Response, ModelError> {
        let mut stream = self.model.stream(request);
        let inputs = inputs(&self.session);
        let shapes = shapes(&inputs);
        let (mut assembler, mut watch) = (Assembler::new(), Watch::new(&shapes));
        while let Some(delta) = next_delta(&mut stream).await {
            let delta = delta?;
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
                break;
            }
        }
        Ok(assembler.finish())
    }

    /// What the system message says now.
    fn system(&self) -> String {
        let containers = self.session.instructions();
        let parts = [self.instructions.as_str(), containers.as_str()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
    }

    /// Makes the calls of an answer and notes what came of them.
    pub(super) async fn run_step(
        &mut self,
        turn: usize,
        step: usize,
        response: Response,
        spent: &mut Spent,
        corrections: &mut Corrections,
    ) -> Verdict {
        let begun = self.clock.now();
        let outcomes = self.outcomes(&response.calls, spent).await;
        self.spend(spent, None, begun);
        let most = self.limits.corrections;
        let verdict = corrections.count(outcomes.iter(), most, |tool, attempts| {
            self.tell(&Event::Refused { turn, step, tool, attempts });
        });
        let mut noted = Step { text: response.text, calls: Vec::with_capacity(outcomes.len()) };
        for (call, outcome) in response.calls.into_iter().zip(outcomes) {
            noted.calls.push(Called {
                answer: outcome.to_text().into_owned(),
                tool: outcome.tool().to_owned(),
                is_refused: counted(&outcome).is_some(),
                call: call.clone(),
            });
            let ToolCall { name, arguments, .. } = call;
            self.transcript.push(Entry::Called(Call { turn, step, name, arguments, outcome: Arc::new(outcome) }));
        }
        self.history.step(noted);
        verdict
    }

    /// The answers to the calls of one message.
    async fn outcomes(&self, calls: &[ToolCall], spent: &Spent) -> Vec<Outcome> {
        let calls = || calls.iter().map(|call| (call.id.as_str(), call.name.as_str(), call.arguments.as_str()));
        let mut running = pin!(self.session.call_batch(calls()));
        if let Some(batch) = self.in_time(spent, running.as_mut()).await {
            return batch.into_outcomes();
        }
        // Whatever runs or waits for its turn is answered now.
        for (id, ..) in calls() {
            self.session.cancel(id);
        }
        running.await.into_outcomes()
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
