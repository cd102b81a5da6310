//! The course of a conversation as data: [`Transcript`].
//!
//! Invariant: each call is stored as the model made it, with its one outcome. Calls of one step were made in parallel.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tool_runtime::session::Outcome;

use crate::model::Usage;

/// The course of a conversation.
///
/// ```
/// use tool_chat::transcript::{Entry, Transcript};
///
/// let mut transcript = Transcript::new();
/// transcript.push(Entry::prompt(0, "What time is it?"));
/// transcript.push(Entry::said(0, 0, "Noon."));
/// assert_eq!((transcript.text(), transcript.calls().count()), ("Noon.", 0));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    entries: Vec<Entry>,
    usage: Usage,
    elapsed: Duration,
}

/// An entry of a transcript.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Entry {
    /// A prompt of the user.
    #[non_exhaustive]
    Prompt {
        /// The number of the turn, from 0. Each prompt begins a turn.
        turn: usize,
        /// The prompt.
        text: String,
    },
    /// A text of the model, with or without calls.
    #[non_exhaustive]
    Said {
        /// The number of the turn.
        turn: usize,
        /// The number of the step within the turn, from 0. Each answer of the model is a step.
        step: usize,
        /// The text.
        text: String,
    },
    /// A call of the model.
    Called(Call),
}

/// A call in a conversation.
///
/// ```
/// use std::sync::Arc;
/// use tool_chat::transcript::Call;
///
/// let session = tool_runtime::Toolbox::builder().build()?.session();
/// let outcome = Arc::new(pollster::block_on(session.call("call_1", "now", "{}")));
/// let call = Call::new(0, 0, "now", "{}", outcome);
/// assert!(!call.outcome.is_ok());
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Call {
    /// The number of the turn, from 0.
    pub turn: usize,
    /// The number of the step within the turn, from 0. Calls of one step were made in parallel.
    pub step: usize,
    /// The name in the call; [`Outcome::tool`] returns the name of the tool that was found.
    pub name: String,
    /// The arguments as the model sent them.
    pub arguments: String,
    /// The outcome.
    pub outcome: Arc<Outcome>,
}

impl Call {
    /// Creates a call from its turn, its step, the name and the arguments as the model sent them, and the outcome.
    pub fn new(
        turn: usize,
        step: usize,
        name: impl Into<String>,
        arguments: impl Into<String>,
        outcome: Arc<Outcome>,
    ) -> Self {
        Self { turn, step, name: name.into(), arguments: arguments.into(), outcome }
    }
}

impl fmt::Debug for Call {
    /// Shows no arguments, because they may contain a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("turn", &self.turn)
            .field("step", &self.step)
            .field("name", &self.name)
            .field("arguments_bytes", &self.arguments.len())
            .field("outcome", &self.outcome)
            .finish()
    }
}

impl Entry {
    /// Creates an entry for a prompt of the user.
    pub fn prompt(turn: usize, text: impl Into<String>) -> Self {
        Self::Prompt { turn, text: text.into() }
    }

    /// Creates an entry for a text of the model.
    pub fn said(turn: usize, step: usize, text: impl Into<String>) -> Self {
        Self::Said { turn, step, text: text.into() }
    }

    /// Returns the number of the turn.
    pub const fn turn(&self) -> usize {
        match self {
            Self::Prompt { turn, .. } | Self::Said { turn, .. } | Self::Called(Call { turn, .. }) => *turn,
        }
    }
}

impl Transcript {
    /// Creates an empty transcript.
    pub const fn new() -> Self {
        Self { entries: Vec::new(), usage: Usage::new(0, 0), elapsed: Duration::ZERO }
    }

    /// Returns all entries, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the calls, in order.
    pub fn calls(&self) -> impl DoubleEndedIterator<Item = &Call> {
        self.entries.iter().filter_map(|entry| if let Entry::Called(call) = entry { Some(call) } else { None })
    }

    /// Returns the last text of the model, or an empty text.
    pub fn text(&self) -> &str {
        let said = |entry: &'_ Entry| matches!(entry, Entry::Said { .. });
        match self.entries.iter().rfind(|entry| said(entry)) {
            Some(Entry::Said { text, .. }) => text,
            _ => "",
        }
    }

    /// Returns the cost of the model's answers.
    pub const fn usage(&self) -> Usage {
        self.usage
    }

    /// Returns the duration on the clock of the conversation, including the model and the tools.
    pub const fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Appends an entry.
    pub fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// Replaces the deferral of a call with its final outcome.
    pub(crate) fn answer(&mut self, place: usize, outcome: Arc<Outcome>) {
        if let Some(Entry::Called(call)) = self.entries.get_mut(place) {
            call.outcome = outcome;
        }
    }

    /// Adds a cost and a duration.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tool_chat::{model::Usage, transcript::Transcript};
    /// let mut transcript = Transcript::new();
    /// transcript.spend(Usage::new(12, 3), Duration::from_secs(1));
    /// assert_eq!((transcript.usage().total(), transcript.elapsed().as_secs()), (15, 1));
    /// ```
    pub fn spend(&mut self, usage: Usage, elapsed: Duration) {
        self.usage += usage;
        self.elapsed = self.elapsed.saturating_add(elapsed);
    }
}
