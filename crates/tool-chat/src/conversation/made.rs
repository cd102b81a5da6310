//! The calls of one answer after they were made: [`Made`].

use std::sync::Arc;

use serde_json::Value;
use tool_runtime::session::Outcome;
use tool_runtime::tool::Payload;

use super::history::{Called, Step};
use crate::model::ToolCall;

/// The calls of one answer, with their outcomes.
pub(super) struct Made {
    pub(super) text: String,
    pub(super) calls: Vec<ToolCall>,
    pub(super) thoughts: Vec<Value>,
    pub(super) outcomes: Vec<Arc<Outcome>>,
    /// The index of the first call in the transcript; the other calls follow it.
    pub(super) first: usize,
}

impl Made {
    pub(super) fn is_deferred(&self) -> bool {
        self.outcomes.iter().any(|outcome| outcome.is_deferred())
    }

    /// Returns the ids of the deferred calls.
    pub(super) fn deferred(&self) -> Vec<String> {
        let deferred = self.outcomes.iter().filter(|outcome| outcome.is_deferred());
        deferred.map(|outcome| outcome.call_id().to_owned()).collect()
    }

    /// Converts the calls and their outcomes into the step that the model reads. An expansion of a container is marked
    /// as such if `is_shortened` returns `true` for its name.
    pub(super) fn noted(self, is_shortened: impl Fn(&str) -> bool) -> Step {
        let called = self.calls.into_iter().zip(self.outcomes).map(|(call, outcome)| {
            let parts = match outcome.payload() {
                Some(Payload::Parts(parts)) => Some(parts.clone()),
                _ => None,
            };
            let expanded = (outcome.is_ok() && is_shortened(outcome.tool())).then(|| outcome.tool().to_owned());
            Called { answer: outcome.to_text().into_owned(), parts, expanded, call }
        });
        Step { text: self.text, calls: called.collect(), thoughts: self.thoughts }
    }
}
