//! The loop of a turn: requests to the model and its calls, until the turn ends.
//!
//! Invariant: prose in place of a required call leads to one further request. If the provider rejects that request, the prose is the answer
//! after all.

use super::step::Answer;
use super::turn::Turn;
use super::{Conversation, End, Event, Limit};
use crate::model::{ModelErrorKind, Response, ToolChoice};
use crate::transcript::Entry;

impl Conversation {
    /// Returns `true` if an answer of this tool is the expansion of a container that is shortened once the container
    /// has collapsed.
    pub(super) fn is_shortened(&self, tool: &str) -> bool {
        self.shortens && self.session.containers().iter().any(|container| container.name() == tool)
    }

    /// Runs requests and calls until the turn ends.
    pub(super) async fn steps(&mut self, mut turn: Turn) -> End {
        loop {
            if let Some(limit) = self.limits.reached(turn.step, &turn.spent, self.clock.now()) {
                return End::Limited { limit };
            }
            if self.shortens {
                self.history.shorten(|container| self.session.is_expanded(container));
            }
            let (choice, prose) = (turn.choice.take(), turn.prose.take());
            let Answer { response, is_cut } = match self.asked(&mut turn, choice).await {
                Ok(answer) => answer,
                // Some models reject a forced tool choice, for example while thinking is on.
                Err(End::Failed { error }) if error.kind == ModelErrorKind::Refused => {
                    return prose.map_or(End::Failed { error }, |prose| self.answered_with(prose));
                }
                Err(end) => return end,
            };
            if response.calls.is_empty() {
                let Some(tool) = self.forced(&mut turn, &response) else { return self.answered_with(response) };
                // The prose is not sent back: a model continues its own text if a request ends with it.
                self.tell(&Event::Forced { turn: turn.number, step: turn.step, tool: &tool });
                (turn.choice, turn.prose) = (Some(ToolChoice::Tool(tool)), Some(response));
                turn.step += 1;
                continue;
            }
            if let Some(limit) = self.limits.calls_reached(&turn.spent, response.calls.len()) {
                return End::Limited { limit };
            }
            let made = self.call(&mut turn, response, is_cut).await;
            if self.waits && made.is_deferred() {
                return self.wait(turn, made);
            }
            if let Some(end) = self.settle(&mut turn, made) {
                return end;
            }
        }
    }

    /// Returns the next answer of the model, or the end of the turn if there is none.
    async fn asked(&mut self, turn: &mut Turn, choice: Option<ToolChoice>) -> Result<Answer, End> {
        let begun = self.clock.now();
        let answer = self.in_time(&turn.spent, self.answer(turn, choice)).await;
        let answer = answer.and_then(Result::transpose);
        let response = answer.as_ref().and_then(|answer| answer.as_ref().ok()).map(|answer| &answer.response);
        self.spend(&mut turn.spent, response, begun);
        let Some(answer) = answer else {
            return Err(End::Limited { limit: Limit::Time(self.limits.time.unwrap_or_default()) });
        };
        let answer = answer.map_err(|error| End::Failed { error })?;
        self.tell(&Event::Said { turn: turn.number, step: turn.step, response: &answer.response });
        if !answer.response.text.is_empty() {
            let text = answer.response.text.clone();
            self.transcript.push(Entry::Said { turn: turn.number, step: turn.step, text });
        }
        Ok(answer)
    }

    /// Returns the tool that the model has to call if it answered with this prose instead of correcting a call.
    fn forced(&self, turn: &mut Turn, response: &Response) -> Option<String> {
        let sentence = response.text.trim_end_matches(|last: char| !is_mark(last) && !last.is_alphanumeric());
        if !self.forces || sentence.ends_with(is_mark) {
            return None;
        }
        turn.corrections.force(&self.session)
    }

    fn answered_with(&mut self, response: Response) -> End {
        let Response { text, thoughts, stop, .. } = response;
        self.history.said(text.clone(), thoughts);
        End::Answered { text, stop }
    }
}

/// Returns `true` for a character that ends a question.
fn is_mark(last: char) -> bool {
    matches!(last, '?' | '？' | '؟')
}
