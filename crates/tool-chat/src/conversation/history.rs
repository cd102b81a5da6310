//! What the model is sent: [`History`].
//!
//! In: prompts, and whole steps: what the model said and called, with the answers. Out: the messages of a request. What always holds: every
//! call in them is followed by its one answer; with the minimal context the last attempt stands there and those before it do not.

use std::collections::HashSet;

use serde_json::Value;

use crate::model::{Message, ToolCall};

/// What a model sees of its wrong attempts.
///
/// ```
/// use tool_chat::conversation::CorrectionContext;
///
/// assert_eq!(CorrectionContext::default(), CorrectionContext::Full);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CorrectionContext {
    /// All of them. What was sent before stays, so that a provider's cache of prompts is used.
    #[default]
    Full,
    /// The task, the last attempt and what is wrong with it. Attempts before it are left out, and after a success all of them.
    Minimal,
}

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
    /// What the provider wants back with them.
    pub(super) thoughts: Vec<Value>,
}

pub(super) struct Called {
    pub(super) call: ToolCall,
    /// What the model reads.
    pub(super) answer: String,
    /// The tool.
    pub(super) tool: String,
    /// Whether it was a mistake.
    pub(super) is_refused: bool,
    /// Whether it was refused for those before it.
    pub(super) is_paused: bool,
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

    /// The messages of the next request.
    pub(super) fn messages(&self, system: String, context: CorrectionContext) -> Vec<Message> {
        let superseded = match context {
            CorrectionContext::Full => HashSet::new(),
            CorrectionContext::Minimal => self.superseded(),
        };
        let mut messages = Vec::with_capacity(self.0.len() * 2 + 1);
        if !system.is_empty() {
            messages.push(Message::System(system));
        }
        for (at, event) in self.0.iter().enumerate() {
            match event {
                Event::Prompt(text) => messages.push(Message::User(text.clone())),
                Event::Step(step) => {
                    let called = step.calls.iter().enumerate();
                    let left =
                        called.filter(|(index, _)| !superseded.contains(&(at, *index))).map(|(_, called)| called);
                    let left: Vec<&Called> = left.collect();
                    if left.is_empty() && (step.text.is_empty() || !step.calls.is_empty()) {
                        continue;
                    }
                    let calls = left.iter().map(|called| called.call.clone()).collect();
                    let (text, thoughts) = (step.text.clone(), step.thoughts.clone());
                    messages.push(Message::Assistant { text, calls, thoughts });
                    messages.extend(left.iter().map(|called| Message::Tool {
                        call_id: called.call.id.clone(),
                        name: called.call.name.clone(),
                        text: called.answer.clone(),
                    }));
                }
            }
        }
        messages
    }

    /// The refused calls that a later step of the turn tried again, by their places. What a pause answers says nothing of the arguments, so
    /// it does not stand for the attempt before it.
    fn superseded(&self) -> HashSet<(usize, usize)> {
        let mut found = HashSet::new();
        let (mut called_later, mut paused_later) = (HashSet::<&str>::new(), HashSet::<&str>::new());
        for (at, event) in self.0.iter().enumerate().rev() {
            let Event::Step(step) = event else {
                called_later.clear();
                paused_later.clear();
                continue;
            };
            for (index, called) in step.calls.iter().enumerate() {
                let tool = &*called.tool;
                let is_tried_again = called_later.contains(tool) || called.is_paused && paused_later.contains(tool);
                if (called.is_refused || called.is_paused) && is_tried_again {
                    found.insert((at, index));
                }
            }
            for called in &step.calls {
                let later = if called.is_paused { &mut paused_later } else { &mut called_later };
                later.insert(&called.tool);
            }
        }
        found
    }
}
