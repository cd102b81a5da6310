//! What happened in a conversation: [`Transcript`].
//!
//! In: what was asked, said and called, in that order. Out: the same as data, for those who judge it. What always holds: a call stands in it
//! as the model made it, with its one outcome; calls of one step were made side by side.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tool_runtime::session::Outcome;

use crate::model::Usage;

/// What happened in a conversation.
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

/// One thing that happened.
///
/// ```
/// use tool_chat::transcript::Entry;
///
/// assert_eq!(Entry::prompt(2, "And tomorrow?").turn(), 2);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Entry {
    /// The user asked.
    #[non_exhaustive]
    Prompt {
        /// Which prompt of the user, from 0.
        turn: usize,
        /// What was asked.
        text: String,
    },
    /// The model said something, with calls or without.
    #[non_exhaustive]
    Said {
        /// Within which turn.
        turn: usize,
        /// Which answer of the model within the turn, from 0.
        step: usize,
        /// What it said.
        text: String,
    },
    /// The model called something.
    Called(Call),
}

/// A call of a conversation.
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
    /// Which prompt of the user, from 0.
    pub turn: usize,
    /// Which answer of the model within the turn, from 0: calls of one step were made side by side.
    pub step: usize,
    /// The name as it was called; [`Outcome::tool`] is what it was read as.
    pub name: String,
    /// The arguments as they were sent.
    pub arguments: String,
    /// The answer.
    pub outcome: Arc<Outcome>,
}

impl Call {
    /// Makes a call of a turn and a step, from the name and the arguments as they were sent, and the answer.
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
    /// Shows no argument, because any may be a secret.
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
    /// Notes what the user asked.
    ///
    /// ```
    /// # use tool_chat::transcript::Entry;
    /// assert_eq!(Entry::prompt(1, "And tomorrow?").turn(), 1);
    /// ```
    pub fn prompt(turn: usize, text: impl Into<String>) -> Self {
        Self::Prompt { turn, text: text.into() }
    }

    /// Notes what the model said.
    ///
    /// ```
    /// # use tool_chat::transcript::Entry;
    /// assert_eq!(Entry::said(1, 0, "Sun.").turn(), 1);
    /// ```
    pub fn said(turn: usize, step: usize, text: impl Into<String>) -> Self {
        Self::Said { turn, step, text: text.into() }
    }

    /// Within which turn it happened.
    ///
    /// ```
    /// # use tool_chat::transcript::Entry;
    /// assert_eq!(Entry::said(1, 0, "Noon.").turn(), 1);
    /// ```
    pub const fn turn(&self) -> usize {
        match self {
            Self::Prompt { turn, .. } | Self::Said { turn, .. } | Self::Called(Call { turn, .. }) => *turn,
        }
    }
}

impl Transcript {
    /// Nothing happened yet.
    ///
    /// ```
    /// assert!(tool_chat::transcript::Transcript::new().entries().is_empty());
    /// ```
    pub const fn new() -> Self {
        Self { entries: Vec::new(), usage: Usage::new(0, 0), elapsed: Duration::ZERO }
    }

    /// Everything, in the order in which it happened.
    ///
    /// ```
    /// # use tool_chat::transcript::Transcript;
    /// assert_eq!(Transcript::new().entries().len(), 0);
    /// ```
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The calls, in the order in which they were made.
    ///
    /// ```
    /// # use tool_chat::transcript::Transcript;
    /// assert_eq!(Transcript::new().calls().count(), 0);
    /// ```
    pub fn calls(&self) -> impl DoubleEndedIterator<Item = &Call> {
        self.entries.iter().filter_map(|entry| if let Entry::Called(call) = entry { Some(call) } else { None })
    }

    /// What the model said last; empty where it said nothing.
    ///
    /// ```
    /// # use tool_chat::transcript::Transcript;
    /// assert_eq!(Transcript::new().text(), "");
    /// ```
    pub fn text(&self) -> &str {
        let said = |entry: &'_ Entry| matches!(entry, Entry::Said { .. });
        match self.entries.iter().rfind(|entry| said(entry)) {
            Some(Entry::Said { text, .. }) => text,
            _ => "",
        }
    }

    /// What the model cost.
    ///
    /// ```
    /// # use tool_chat::transcript::Transcript;
    /// assert_eq!(Transcript::new().usage().total(), 0);
    /// ```
    pub const fn usage(&self) -> Usage {
        self.usage
    }

    /// How long it took by the clock of the conversation: the model, the tools and what is between them.
    ///
    /// ```
    /// # use tool_chat::transcript::Transcript;
    /// assert!(Transcript::new().elapsed().is_zero());
    /// ```
    pub const fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Notes what happened next.
    ///
    /// ```
    /// # use tool_chat::transcript::{Entry, Transcript};
    /// let mut transcript = Transcript::new();
    /// transcript.push(Entry::prompt(0, "What time is it?"));
    /// assert_eq!(transcript.entries().len(), 1);
    /// ```
    pub fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// Puts the final outcome of a call in the place of its deferral.
    pub(crate) fn answer(&mut self, place: usize, outcome: Arc<Outcome>) {
        if let Some(Entry::Called(call)) = self.entries.get_mut(place) {
            call.outcome = outcome;
        }
    }

    /// Notes what was spent on it.
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
