//! The messages of a request: [`History`].
//!
//! Invariants: every call is followed by exactly one answer, because a step is added with its answers or not at all. No two calls have the
//! same id, and each name is one that every provider accepts, whatever the model wrote. Messages of the
//! history are never removed, and only changed if the host asks for shorter expansions, so the prompt cache of a provider stays valid.
//! Messages are made once, from the transcript, and requests borrow them.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::Value;
use tool_runtime::tool::{Payload, portable_name};

use super::turn_state::AnswerEntry;
use crate::model::{Message, ToolCall};
use crate::private::internal;
use crate::transcript::{Call, Entry, Transcript};

#[derive(Clone, Debug, Default)]
pub(super) struct History {
    items: Vec<Item>,
    /// The system message if there is one, the messages of the items, and the reminder if it is a separate message.
    messages: Vec<Message>,
    has_system: bool,
    reminder: Reminder,
    /// The expansions of containers that were not shortened yet.
    expansions: Vec<Expansion>,
    /// The calls whose expansions were shortened, as indices of the transcript.
    shortened: Vec<usize>,
    /// The ids of the calls in the messages.
    ids: HashSet<String>,
}

/// A part of the history, as indices of entries of the transcript.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    Prompt(usize),
    /// One answer of the model, with the answers to its calls.
    Step {
        /// The text; `None` if it is empty.
        said: Option<usize>,
        /// The first call; the others follow it.
        first: usize,
        /// The number of calls.
        count: usize,
    },
}

/// The reminder at the end of the messages.
#[derive(Clone, Copy, Debug, Default)]
enum Reminder {
    #[default]
    Absent,
    /// The reminder follows the last prompt in the same message. The prompt alone has this length in bytes.
    Appended(usize),
    /// The reminder is a separate message.
    Pushed,
}

#[derive(Clone, Debug)]
struct Expansion {
    /// The index of the call in the transcript.
    entry: usize,
    /// The index of the answer in the messages, not counting the system message.
    message: usize,
    container: String,
}

impl History {
    /// Adds the prompt at this index of the transcript.
    pub(super) fn prompt(&mut self, transcript: &Transcript, entry: usize) {
        self.remove_reminder();
        self.items.push(Item::Prompt(entry));
        self.messages.push(Message::User(text_of(transcript, Some(entry))));
    }

    /// Adds an answer of the model, with its calls and their outcomes.
    pub(super) fn step(&mut self, transcript: &Transcript, said: AnswerEntry, first: usize, count: usize) {
        self.remove_reminder();
        let AnswerEntry { entry, thoughts } = said;
        self.items.push(Item::Step { said: entry, first, count });
        let text = text_of(transcript, entry);
        if text.is_empty() && count == 0 {
            return;
        }
        let called = |place: usize| match transcript.entries().get(place) {
            Some(Entry::Called(call)) => Some((place, call)),
            _ => None,
        };
        let calls = || (first..first.saturating_add(count)).filter_map(called);
        let ids = self.unique_ids(calls().map(|(_, call)| call.outcome.call_id()));
        let name = |call: &Call| acceptable_name(&call.name).into_owned();
        let made = calls().zip(&ids).map(|((_, call), id)| ToolCall::new(id, name(call), &*call.arguments));
        self.messages.push(Message::Assistant { text, calls: made.collect(), thoughts });
        for ((entry, call), call_id) in calls().zip(ids) {
            let outcome = &call.outcome;
            if internal::is_expansion(outcome) {
                let message = self.messages.len() - usize::from(self.has_system);
                self.expansions.push(Expansion { entry, message, container: outcome.tool_name().to_owned() });
            }
            let parts = match outcome.payload() {
                Some(Payload::Parts(parts)) => Some(parts.clone()),
                _ => None,
            };
            self.messages.push(Message::Tool {
                call_id,
                name: name(call),
                text: outcome.to_text().into_owned(),
                parts,
                loaded: outcome.loaded_tools().iter().map(ToString::to_string).collect(),
                definitions: outcome.loaded_definitions().map(str::to_owned),
            });
        }
    }

    /// Returns an id for each of these calls. A run may have been stored with ids that are missing or repeated.
    fn unique_ids<'c>(&mut self, ids: impl Iterator<Item = &'c str>) -> Vec<String> {
        let unique = ids.map(|id| {
            let mut unique = id.to_owned();
            // Ids are only added, so fewer numbers are tried than there are ids.
            let mut number = self.ids.len();
            while unique.trim().is_empty() || !self.ids.insert(unique.clone()) {
                number += 1;
                unique = format!("call_{number}");
            }
            unique
        });
        unique.collect()
    }

    /// Returns the containers whose expansions were not shortened yet.
    pub(super) fn expansions(&self) -> impl Iterator<Item = &str> {
        self.expansions.iter().map(|expansion| expansion.container.as_str())
    }

    /// Returns the indices of the calls whose expansions were shortened.
    pub(super) fn shortened(&self) -> &[usize] {
        &self.shortened
    }

    pub(super) fn has_prompt(&self) -> bool {
        !self.items.is_empty()
    }

    /// Shortens the expansions for which `is_short` returns `true`, given the index of the call and the name of the container. Their calls
    /// are still answered, with one short line.
    pub(super) fn shorten(&mut self, is_short: impl Fn(usize, &str) -> bool) {
        let (messages, shortened) = (&mut self.messages, &mut self.shortened);
        let before = usize::from(self.has_system);
        self.expansions.retain(|Expansion { entry, message, container }| {
            let is_short = is_short(*entry, container);
            if is_short
                && let Some(Message::Tool { text, loaded, definitions, .. }) = messages.get_mut(before + *message)
            {
                loaded.clear();
                *definitions = None;
                *text = format!("{container} has collapsed. To see its functions again, call {container}.");
                shortened.push(*entry);
            }
            !is_short
        });
        self.shortened.sort_unstable();
    }

    /// Sets the texts around the history: the system message and a reminder at the end.
    pub(super) fn surround(&mut self, system: String, reminder: Option<&str>) {
        self.remove_reminder();
        match (self.has_system, system.is_empty()) {
            (true, false) => self.messages[0] = Message::System(system),
            (true, true) => drop(self.messages.remove(0)),
            (false, false) => self.messages.insert(0, Message::System(system)),
            (false, true) => {}
        }
        self.has_system = matches!(self.messages.first(), Some(Message::System(_)));
        let Some(reminder) = reminder else { return };
        // Some providers reject two messages of the user in a row.
        if let Some(Message::User(prompt)) = self.messages.last_mut() {
            self.reminder = Reminder::Appended(prompt.len());
            prompt.extend(["\n\n", reminder]);
        } else {
            self.reminder = Reminder::Pushed;
            self.messages.push(Message::User(reminder.to_owned()));
        }
    }

    /// Removes the reminder, which is not a part of the history.
    fn remove_reminder(&mut self) {
        match std::mem::take(&mut self.reminder) {
            Reminder::Absent => {}
            Reminder::Appended(length) => {
                if let Some(Message::User(prompt)) = self.messages.last_mut() {
                    prompt.truncate(length);
                }
            }
            Reminder::Pushed => drop(self.messages.pop()),
        }
    }

    pub(super) fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Returns the items with the thoughts of their answers.
    pub(super) fn items(&self) -> impl Iterator<Item = (Item, &[Value])> {
        let mut message = usize::from(self.has_system);
        self.items.iter().map(move |item| {
            let thoughts: &[Value] = match (item, self.messages.get(message)) {
                (Item::Step { said: None, count: 0, .. }, _) => return (*item, &[][..]),
                (Item::Step { .. }, Some(Message::Assistant { thoughts, .. })) => thoughts,
                _ => &[],
            };
            message += match item {
                Item::Prompt(_) => 1,
                Item::Step { count, .. } => 1 + count,
            };
            (*item, thoughts)
        })
    }
}

/// Returns a name that every provider accepts in a call. A name that a tool may have is not changed.
fn acceptable_name(name: &str) -> Cow<'_, str> {
    const LONGEST: usize = 64;
    let is_first = |first: char| first.is_ascii_alphabetic() || first == '_';
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    if name.len() <= LONGEST && name.starts_with(is_first) && name.chars().all(is_allowed) {
        return Cow::Borrowed(name);
    }
    portable_name(name)
}

/// Returns the text of an entry, or an empty text if there is no such entry.
pub(super) fn text_of(transcript: &Transcript, entry: Option<usize>) -> String {
    match entry.and_then(|entry| transcript.entries().get(entry)) {
        Some(Entry::Prompt { text, .. } | Entry::Answer { text, .. } | Entry::Rejected { text, .. }) => text.clone(),
        _ => String::new(),
    }
}
