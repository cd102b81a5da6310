//! The check of a stored state: [`loaded`].
//!
//! Invariants: every index refers to an entry of the right kind, and no entry is referred to twice, so the messages cannot be longer than
//! the stored text. The requests of the run are well-formed, even if the file was changed.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Run;
use super::history::History;
use super::settings::Settings;
use super::stored_thoughts;
use super::turn_state::{AnswerEntry, Open, Stage, Step, Turn};
use crate::transcript::{Entry, Transcript};

/// The state of a run as it is parsed, before it is checked.
#[derive(Deserialize)]
pub(super) struct State {
    pub(super) settings: Settings,
    pub(super) transcript: Transcript,
    pub(super) history: Vec<StoredItem>,
    /// The calls whose expansions were shortened.
    #[serde(default)]
    pub(super) shortened: Vec<usize>,
    pub(super) made_ids: usize,
    pub(super) turn: Option<Turn>,
}

/// A part of the history: indices of entries of the transcript.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StoredItem {
    Prompt(usize),
    Step {
        said: Option<usize>,
        first: usize,
        count: usize,
        #[serde(default, skip_serializing_if = "Vec::is_empty", with = "stored_thoughts")]
        thoughts: Vec<Value>,
    },
}

/// The maximum number of ids that a stored run may have made. It leaves room for further ids.
const MOST_IDS: usize = u32::MAX as usize;

/// Returns the run of a stored state, or the reason why the state is rejected.
pub(super) fn loaded(state: State) -> Result<Run, &'static str> {
    let State { settings, transcript, history: items, mut shortened, made_ids, turn } = state;
    let turns = transcript.entries().iter().filter(|entry| matches!(entry, Entry::Prompt { .. })).count();
    let (mut history, mut places, mut has_open_end) = (History::default(), Places::new(&transcript), false);
    for item in items {
        match item {
            StoredItem::Prompt(entry) => {
                places
                    .take(entry, |entry| matches!(entry, Entry::Prompt { .. } | Entry::Rejected { .. }))
                    .ok_or("a prompt is missing")?;
                history.prompt(&transcript, entry);
                has_open_end = true;
            }
            StoredItem::Step { said, first, count, thoughts } => {
                let said = AnswerEntry { entry: said, thoughts };
                places.take_text_entry(&said)?;
                places.calls(first, count)?;
                if !history.has_prompt() {
                    return Err("the history does not begin with a prompt");
                }
                history.step(&transcript, said, first, count);
                has_open_end = count > 0;
            }
        }
    }
    shortened.sort_unstable();
    history.shorten(|entry, _| shortened.binary_search(&entry).is_ok());
    if made_ids > MOST_IDS {
        return Err("it made too many ids");
    }
    let mut open = 0;
    if let Some(turn) = &turn {
        if turn.number >= turns {
            return Err("the turn has not begun");
        }
        if !turn.has_ended() && !has_open_end {
            return Err("the model is asked without a prompt");
        }
        open = places.open(turn)?;
    }
    let mut run = Run { settings, history, turns, turn, made_ids, open, ..Run::default() };
    run.transcript = transcript;
    run.collect_ids();
    run.set_session_texts("", None);
    Ok(run)
}

/// The entries of a transcript from `next` on, which nothing has referred to yet.
struct Places<'t> {
    transcript: &'t Transcript,
    next: usize,
}

impl<'t> Places<'t> {
    const fn new(transcript: &'t Transcript) -> Self {
        Self { transcript, next: 0 }
    }

    /// Takes the entry at `place`. It must be of the right kind, and come after all entries that were taken before.
    fn take(&mut self, place: usize, is_right: impl Fn(&Entry) -> bool) -> Option<()> {
        let entry = self.transcript.entries().get(place).filter(|_| place >= self.next)?;
        self.next = place + 1;
        is_right(entry).then_some(())
    }

    /// Takes the entry for the text of an answer, if there is a text.
    fn take_text_entry(&mut self, said: &AnswerEntry) -> Result<(), &'static str> {
        let Some(place) = said.entry else { return Ok(()) };
        let is_said = |entry: &Entry| matches!(entry, Entry::Answer { text, .. } if !text.is_empty());
        self.take(place, is_said).ok_or("a text of the model is missing")
    }

    /// Takes the entries for the calls of a step.
    fn calls(&mut self, first: usize, count: usize) -> Result<(), &'static str> {
        let is_missing = || "a call is missing";
        let end = first.checked_add(count).filter(|end| *end <= self.transcript.entries().len());
        let places = first..end.ok_or_else(is_missing)?;
        places
            .into_iter()
            .try_for_each(|place| self.take(place, |entry| matches!(entry, Entry::Called(_))).ok_or_else(is_missing))
    }

    /// Takes the entries for the step in progress, and returns the number of its open calls.
    fn open(&mut self, turn: &Turn) -> Result<usize, &'static str> {
        let open = match &turn.stage {
            Stage::Calls(Step { said, calls, .. }) => {
                self.take_text_entry(said)?;
                let fits =
                    |known: &Open| known.outcome.as_ref().is_none_or(|outcome| outcome.call_id() == known.call.id);
                if !calls.iter().all(fits) {
                    return Err("an outcome belongs to another call");
                }
                calls.iter().filter(|open| open.outcome.is_none()).count()
            }
            Stage::Wait(wait) => {
                self.take_text_entry(&wait.said)?;
                self.calls(wait.first, wait.count)?;
                let calls = self.transcript.entries()[wait.first..].iter().take(wait.count);
                calls.filter(|entry| matches!(entry, Entry::Called(call) if call.outcome.is_deferred())).count()
            }
            Stage::Ask => {
                if let Some(prose) = &turn.prose {
                    self.take_text_entry(&prose.said)?;
                }
                return Ok(0);
            }
            Stage::Ended(_) => return Ok(0),
        };
        if open == 0 { Err("a step without open calls is in progress") } else { Ok(open) }
    }
}
