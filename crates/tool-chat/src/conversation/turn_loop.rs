//! The loop of a turn: it asks the model and makes the model's calls, until the run says that the turn has ended or waits.

use super::deferred::deferred;
use super::pending::Pending;
use super::{Conversation, ConversationEvent, TurnEnd, misfit};
use crate::run::{Next, Record};

impl Conversation {
    /// Runs requests and calls until the turn ends or waits.
    pub(super) async fn steps(&mut self, turn: usize) -> TurnEnd {
        loop {
            let step = self.run.step_number().unwrap_or_default();
            let applied = if self.run.asks_model() {
                self.shorten();
                self.ask_model(turn, step).await
            } else if self.run.makes_calls() {
                self.call(turn, step).await
            } else {
                return self.end(turn, step);
            };
            if let Err(error) = applied {
                return misfit(&error);
            }
        }
    }

    /// Returns the end of a turn that has ended or waits.
    fn end(&mut self, turn: usize, step: usize) -> TurnEnd {
        match self.run.next() {
            Next::Done(end) => end.clone(),
            Next::Wait(calls) => {
                self.pending = Some(Pending::new(turn, step, &calls));
                deferred(&calls)
            }
            // This cannot happen, because a turn has begun.
            Next::Prompt | Next::Ask(_) | Next::Call(_) => TurnEnd::Stopped,
        }
    }

    /// Shortens the expansions of containers that have collapsed.
    fn shorten(&mut self) {
        if !self.shortens {
            return;
        }
        let collapsed = self.run.expanded_containers().filter(|container| !self.session.is_expanded(container));
        let collapsed: Vec<String> = collapsed.map(str::to_owned).collect();
        if !collapsed.is_empty() {
            let shortened = self.run.apply_record(Record::from_collapsed_containers(collapsed));
            debug_assert_eq!(shortened, Ok(()), "this record always fits");
        }
    }

    /// Reports the tool that the model has to call because it answered with prose instead of correcting a call, if there is such a tool.
    pub(super) fn report_forced(&self, turn: usize, step: usize) {
        if let Some(tool) = self.run.forced_tool() {
            self.report_event(&ConversationEvent::CorrectionForced { turn, step, tool });
        }
    }
}
