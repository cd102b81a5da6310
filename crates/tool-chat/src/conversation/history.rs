//! The messages of a request: [`History`].
//!
//! Invariants: every call is followed by exactly one answer. No message is ever removed, and none is changed unless the host asks for
//! shorter expansions, so the prompt cache of a provider stays valid.

use serde_json::Value;
use tool_runtime::tool::Parts;

use crate::model::{Message, ToolCall};

#[derive(Default)]
pub(super) struct History(Vec<Event>);

enum Event {
    Prompt(String),
    Step(Step),
}

/// One answer of the model, with the answers to its calls.
#[derive(Default)]
pub(super) struct Step {
    pub(super) text: String,
    pub(super) calls: Vec<Called>,
    /// The [`thoughts`](crate::model::Response::thoughts) of the answer.
    pub(super) thoughts: Vec<Value>,
}

pub(super) struct Called {
    pub(super) call: ToolCall,
    /// The text that the model reads.
    pub(super) answer: String,
    /// The parts of the result, if it is not only a text.
    pub(super) parts: Option<Parts>,
    /// The container that the answer has expanded, if the answer is shortened after the container has collapsed.
    pub(super) expanded: Option<String>,
}

impl History {
    pub(super) fn prompt(&mut self, text: &str) {
        self.0.push(Event::Prompt(text.to_owned()));
    }

    pub(super) fn said(&mut self, text: String, thoughts: Vec<Value>) {
        self.step(Step { text, calls: Vec::new(), thoughts });
    }

    pub(super) fn step(&mut self, step: Step) {
        self.0.push(Event::Step(step));
    }

    /// Shortens the answers that have expanded a container which is not expanded any more. Their calls stay answered.
    pub(super) fn shorten(&mut self, is_expanded: impl Fn(&str) -> bool) {
        let steps = self.0.iter_mut().filter_map(|event| if let Event::Step(step) = event { Some(step) } else { None });
        for called in steps.flat_map(|step| &mut step.calls) {
            if let Some(container) = called.expanded.take_if(|container| !is_expanded(container)) {
                called.answer = format!("{container} has collapsed. To see its functions again, call {container}.");
            }
        }
    }

    /// Returns the messages of the next request, with a reminder at their end, if there is one.
    pub(super) fn messages(&self, system: String, reminder: Option<String>) -> Vec<Message> {
        let mut messages = Vec::with_capacity(self.0.len() * 2 + 1);
        if !system.is_empty() {
            messages.push(Message::System(system));
        }
        for event in &self.0 {
            match event {
                Event::Prompt(text) => messages.push(Message::User(text.clone())),
                Event::Step(step) => {
                    if step.calls.is_empty() && step.text.is_empty() {
                        continue;
                    }
                    let calls = step.calls.iter().map(|called| called.call.clone()).collect();
                    let (text, thoughts) = (step.text.clone(), step.thoughts.clone());
                    messages.push(Message::Assistant { text, calls, thoughts });
                    messages.extend(step.calls.iter().map(|called| Message::Tool {
                        call_id: called.call.id.clone(),
                        name: called.call.name.clone(),
                        text: called.answer.clone(),
                        parts: called.parts.clone(),
                    }));
                }
            }
        }
        match (messages.last_mut(), reminder) {
            // Some providers refuse two messages of the user in a row.
            (Some(Message::User(prompt)), Some(reminder)) => prompt.extend(["\n\n", &reminder]),
            (_, Some(reminder)) => messages.push(Message::User(reminder)),
            (_, None) => {}
        }
        messages
    }
}
