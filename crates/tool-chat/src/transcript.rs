//! The course of a conversation as data: [`Transcript`].
//!
//! Invariants: each call is stored as the model made it, with exactly one outcome. Calls of the same step were made in parallel. The totals
//! of the turns add up to those of the conversation.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tool_runtime::session::Outcome;

use crate::model::Usage;

/// The course of a conversation.
///
/// Its stored form contains the arguments and results of all calls, including values of sensitive fields.
///
/// ```
/// use tool_chat::transcript::{Entry, Transcript};
///
/// let mut transcript = Transcript::new();
/// transcript.push(Entry::from_prompt(0, "What time is it?"));
/// transcript.push(Entry::from_model_text(0, 0, "Noon."));
/// assert_eq!((transcript.last_text(), transcript.calls().count()), ("Noon.", 0));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    entries: Vec<Entry>,
    /// The totals of each turn, keyed by the number of the turn.
    turns: BTreeMap<usize, Totals>,
    total: Totals,
}

/// The calls, tokens and time of a turn, of a conversation, or of several conversations.
///
/// ```
/// use tool_chat::transcript::{Entry, Totals, Transcript};
/// use tool_chat::model::Usage;
/// use std::time::Duration;
///
/// let mut transcript = Transcript::new();
/// transcript.push(Entry::from_prompt(0, "What time is it?"));
/// transcript.add_to_turn_totals(Usage::new(12, 3), Duration::from_secs(1));
/// transcript.push(Entry::from_prompt(1, "Where?"));
/// transcript.add_to_turn_totals(Usage::new(20, 4), Duration::from_secs(2));
/// let seconds: Vec<u64> = transcript.turn_totals().map(|(_, cost)| cost.elapsed.as_secs()).collect();
/// assert_eq!(seconds, [1, 2]);
/// assert_eq!(transcript.totals().to_string(), "0 calls, 39 tokens (7 written), 3.0s");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Totals {
    /// The number of calls that the model made.
    pub calls: u64,
    /// The tokens of the model's requests and answers.
    pub usage: Usage,
    /// The duration, measured on the clock of the conversation, including the model and the tools. The time in which a turn waits for the
    /// host does not count.
    pub elapsed: Duration,
}

impl AddAssign for Totals {
    fn add_assign(&mut self, more: Self) {
        self.calls = self.calls.saturating_add(more.calls);
        self.usage += more.usage;
        self.elapsed = self.elapsed.saturating_add(more.elapsed);
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { calls, usage, elapsed } = self;
        let calls = if *calls == 1 { "1 call".to_owned() } else { format!("{calls} calls") };
        write!(f, "{calls}, {} tokens ({} written), {elapsed:.1?}", usage.total(), usage.output_tokens)
    }
}

/// An entry of a transcript.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    #[serde(rename = "said")]
    Answer {
        /// The number of the turn.
        turn: usize,
        /// The number of the step within the turn, from 0. Each answer of the model is a step.
        step: usize,
        /// The text.
        text: String,
    },
    /// The answer to a text of the model that had no value of the type that was asked for.
    #[non_exhaustive]
    Rejected {
        /// The number of the turn.
        turn: usize,
        /// The number of the step of the rejected text.
        step: usize,
        /// The text that the model read.
        text: String,
    },
    /// A call of the model.
    Called(Call),
}

/// A call in a conversation.
///
/// ```
/// use tool_chat::conversation::Conversation;
/// use tool_chat::model::ScriptedModel;
/// use tool_runtime::{Toolbox, tool};
///
/// /// The time of day.
/// #[tool]
/// fn now() -> &'static str {
///     "12:00"
/// }
///
/// let session = Toolbox::builder().tool(NowTool).build()?.session();
/// let mut conversation = Conversation::new(session, ScriptedModel::new().call("Now", "{}").text("Noon."));
/// pollster::block_on(conversation.ask("What time is it?"));
///
/// let call = conversation.transcript().calls().next().ok_or("the model made a call")?;
/// assert_eq!((&*call.name, call.outcome.tool_name()), ("Now", "now")); // the name was repaired
/// assert_eq!((&*call.arguments, &*call.outcome.to_text()), ("{}", "12:00"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Call {
    /// The number of the turn, from 0.
    pub turn: usize,
    /// The number of the step within the turn, from 0. Calls of the same step were made in parallel.
    pub step: usize,
    /// The id that the model sent, if the call got another one because this id was missing or not unique. [`Outcome::call_id`] returns the
    /// id of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent_id: Option<String>,
    /// The name that the model called. [`Outcome::tool_name`] returns the name of the tool that was found.
    pub name: String,
    /// The arguments as the model sent them.
    pub arguments: String,
    /// The outcome.
    #[serde(with = "shared")]
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
        Self { turn, step, sent_id: None, name: name.into(), arguments: arguments.into(), outcome }
    }
}

impl fmt::Debug for Call {
    /// Shows no arguments, because they may contain a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("turn", &self.turn)
            .field("step", &self.step)
            .field("sent_id", &self.sent_id)
            .field("name", &self.name)
            .field("arguments_bytes", &self.arguments.len())
            .field("outcome", &self.outcome)
            .finish()
    }
}

impl Entry {
    /// Creates an entry for a prompt of the user.
    pub fn from_prompt(turn: usize, text: impl Into<String>) -> Self {
        Self::Prompt { turn, text: text.into() }
    }

    /// Creates an entry for a text of the model.
    pub fn from_model_text(turn: usize, step: usize, text: impl Into<String>) -> Self {
        Self::Answer { turn, step, text: text.into() }
    }

    /// Returns the number of the turn.
    pub const fn turn(&self) -> usize {
        match self {
            Self::Prompt { turn, .. }
            | Self::Answer { turn, .. }
            | Self::Rejected { turn, .. }
            | Self::Called(Call { turn, .. }) => *turn,
        }
    }
}

impl Transcript {
    /// Creates an empty transcript.
    pub const fn new() -> Self {
        let total = Totals { calls: 0, usage: Usage::new(0, 0), elapsed: Duration::ZERO };
        Self { entries: Vec::new(), turns: BTreeMap::new(), total }
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
    pub fn last_text(&self) -> &str {
        let said = |entry: &'_ Entry| matches!(entry, Entry::Answer { .. });
        match self.entries.iter().rfind(|entry| said(entry)) {
            Some(Entry::Answer { text, .. }) => text,
            _ => "",
        }
    }

    /// Returns the tokens of the model's requests and answers.
    pub const fn usage(&self) -> Usage {
        self.total.usage
    }

    /// Returns the duration, measured on the clock of the conversation, including the model and the tools.
    pub const fn elapsed(&self) -> Duration {
        self.total.elapsed
    }

    /// Returns the calls, tokens and time of the whole conversation.
    pub const fn totals(&self) -> Totals {
        self.total
    }

    /// Returns the turns, in order: the number of each, from 0, and its totals.
    pub fn turn_totals(&self) -> impl DoubleEndedIterator<Item = (usize, Totals)> {
        self.turns.iter().map(|(turn, cost)| (*turn, *cost))
    }

    /// Appends an entry.
    pub fn push(&mut self, entry: Entry) {
        let calls = u64::from(matches!(entry, Entry::Called(_)));
        let turn = entry.turn();
        self.entries.push(entry);
        self.add(turn, Totals { calls, ..Totals::default() });
    }

    /// Replaces the deferral of a call with its final outcome.
    pub(crate) fn resolve_deferred(&mut self, place: usize, outcome: Arc<Outcome>) {
        if let Some(Entry::Called(call)) = self.entries.get_mut(place) {
            call.outcome = outcome;
        }
    }

    /// Adds tokens and a duration to the totals of the turn of the last entry.
    pub fn add_to_turn_totals(&mut self, usage: Usage, elapsed: Duration) {
        let turn = self.entries.last().map_or(0, Entry::turn);
        self.add(turn, Totals { calls: 0, usage, elapsed });
    }

    fn add(&mut self, turn: usize, cost: Totals) {
        *self.turns.entry(turn).or_default() += cost;
        self.total += cost;
    }
}

/// A transcript as it is stored. The totals of the conversation are not stored, because they are the sums over the turns.
#[derive(Serialize, Deserialize)]
struct Stored<E> {
    entries: E,
    turns: Vec<(usize, Totals)>,
}

impl Serialize for Transcript {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Stored { entries: &self.entries, turns: self.turn_totals().collect() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Transcript {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Stored { entries, turns } = Stored::<Vec<Entry>>::deserialize(deserializer)?;
        let mut transcript = Self { entries, ..Self::new() };
        for (turn, cost) in turns {
            transcript.add(turn, cost);
        }
        Ok(transcript)
    }
}

/// The stored form of an outcome in an `Arc`: the outcome alone.
pub(crate) mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use tool_runtime::session::Outcome;

    pub(crate) fn serialize<S: Serializer>(outcome: &Arc<Outcome>, serializer: S) -> Result<S::Ok, S::Error> {
        Outcome::serialize(outcome, serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Outcome>, D::Error> {
        Outcome::deserialize(deserializer).map(Arc::new)
    }
}
