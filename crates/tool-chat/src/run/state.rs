//! The state of a run: [`Run`].

use std::collections::HashSet;
use std::time::Duration;

use super::history::History;
use super::next::{Ask, Next, OpenCall, WaitingCall};
use super::settings::Settings;
use super::turn_state::{Markup, Stage, Turn, Wait};
use crate::model::ToolChoice;
use crate::transcript::{Call, Entry, Transcript};

/// The turn loop as data: [`next`](Self::next) returns what to do, and [`apply_record`](Self::apply_record) takes what happened.
///
/// A run does nothing by itself. A driver asks the model, runs the calls in a session, and decides what to store before the next action.
/// [`Conversation`](crate::conversation::Conversation) is such a driver for one process.
///
/// ```
/// use tool_chat::model::{ChatModel, ScriptedModel};
/// use tool_chat::run::{Next, Record, Run};
/// use tool_runtime::{Toolbox, tool};
///
/// /// Adds two numbers.
/// #[tool]
/// fn add(
///     /// First summand.
///     a: f64,
///     /// Second summand.
///     b: f64,
/// ) -> f64 {
///     a + b
/// }
///
/// # pollster::block_on(async {
/// let model = ScriptedModel::new().call("add", r#"{"a": 1, "b": 2}"#).text("Three.");
/// let session = Toolbox::builder().tool(AddTool).build()?.session();
///
/// let mut run = Run::new().instructions("Use the tools.");
/// run.apply_record(Record::from_prompt("What is one and two?"))?;
/// session.begin_turn();
/// let answer = loop {
///     let record = match run.next() {
///         Next::Ask(ask) => {
///             let tools = session.definitions();
///             Record::from_model_answer(model.complete(ask.request(&tools)).await?)
///         }
///         Next::Call(calls) => {
///             let call = calls[0];
///             Record::from_call_end(call.index, session.call(&*call.call.id, &*call.call.name, call.arguments()).await)
///         }
///         Next::Done(end) => break end.text().unwrap_or_default().to_owned(),
///         other => unreachable!("{other:?}"), // no call of this example is deferred
///     };
///     run.apply_record(record)?;
///     // A run can be stored at every point, and read back.
///     run = serde_json::from_str(&serde_json::to_string(&run)?)?;
/// };
/// session.end_turn();
/// assert_eq!(answer, "Three.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Run {
    pub(crate) settings: Settings,
    pub(super) transcript: Transcript,
    pub(super) history: History,
    /// The number of prompts.
    pub(super) turns: usize,
    pub(super) turn: Option<Turn>,
    /// The number in the last id that the run made: 3 after `call_3`.
    pub(super) made_ids: usize,
    /// The ids of all calls; empty if ids need not be unique.
    pub(super) ids: HashSet<String>,
    /// The number of open calls in the step in progress.
    pub(super) open: usize,
    /// The rejected calls of the last step; not stored.
    pub(super) rejected: Vec<RejectedCall>,
}

/// A rejected call that the model may correct.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RejectedCall {
    /// The number of the turn.
    pub turn: usize,
    /// The number of the step.
    pub step: usize,
    /// The name of the called tool.
    pub tool: String,
    /// The number of rejections in a row.
    pub attempts: usize,
}

impl Run {
    /// Creates a run without prompts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the next thing to do. The result stays the same until a record is applied.
    pub fn next(&self) -> Next<'_> {
        let Some(turn) = &self.turn else { return Next::Prompt };
        match &turn.stage {
            Stage::Ask => {
                let mut options = self.settings.options.clone();
                if let Some(choice) = &turn.choice {
                    options.tool_choice = choice.clone();
                }
                let (messages, time_left) = (self.history.messages(), self.time_left());
                Next::Ask(Ask { turn: turn.number, step: turn.step, messages, options, time_left })
            }
            Stage::Calls(step) => {
                let (turn, step_number, is_cut, is_cut_off) = (turn.number, turn.step, step.is_cut, step.is_limited);
                let open = step.calls.iter().enumerate().filter(|(_, open)| open.outcome.is_none());
                let open = open.map(|(index, open)| OpenCall {
                    turn,
                    step: step_number,
                    index,
                    call: &open.call,
                    sent_id: open.sent_id.as_deref(),
                    is_started: open.is_started,
                    is_cut_off: is_cut_off && index + 1 == step.calls.len(),
                    is_cut,
                });
                Next::Call(open.collect())
            }
            Stage::Wait(wait) => {
                let waiting = self.step_calls(wait).filter(|(_, call)| call.outcome.is_deferred());
                Next::Wait(waiting.map(|(index, call)| WaitingCall { index, call }).collect())
            }
            Stage::Ended(end) => Next::Done(end),
        }
    }

    /// Returns `true` if [`next`](Self::next) is a request to the model, without preparing it.
    pub(crate) fn asks_model(&self) -> bool {
        self.turn.as_ref().is_some_and(|turn| matches!(turn.stage, Stage::Ask))
    }

    /// Returns `true` if [`next`](Self::next) is a list of calls, without making the list.
    pub(crate) fn makes_calls(&self) -> bool {
        self.turn.as_ref().is_some_and(|turn| matches!(turn.stage, Stage::Calls(_)))
    }

    /// Sets the texts of the session for the next request: the instructions of expanded containers, which are appended to the system
    /// message, and a reminder, which is put after the last message. These texts are not a part of the run and are not stored.
    ///
    /// ```
    /// use tool_chat::model::Message;
    /// use tool_chat::run::{Next, Record, Run};
    ///
    /// let mut run = Run::new().instructions("Be brief.");
    /// run.apply_record(Record::from_prompt("What time is it?"))?;
    /// run.set_session_texts("## Clocks\n\nUse UTC.", Some("It is still open."));
    /// let Next::Ask(ask) = run.next() else { unreachable!() };
    /// assert_eq!(ask.messages[0], Message::System("Be brief.\n\n## Clocks\n\nUse UTC.".to_owned()));
    /// assert_eq!(ask.messages[1], Message::User("What time is it?\n\nIt is still open.".to_owned()));
    /// # Ok::<(), tool_chat::run::UnexpectedRecordError>(())
    /// ```
    pub fn set_session_texts(&mut self, instructions: &str, reminder: Option<&str>) {
        let parts = [self.settings.instructions.as_str(), instructions];
        let system = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n");
        let markup_note = self.call_markup_in_answer().map(|mark| {
            let markup_note = format!(
                "Your last answer contained a tool call as text ({mark}), so nothing was run. Make tool calls only in the way that the API \
                 provides for them, or answer without such markup."
            );
            reminder.map_or_else(|| markup_note.clone(), |reminder| format!("{markup_note}\n\n{reminder}"))
        });
        self.history.surround(system, markup_note.as_deref().or(reminder));
    }

    /// Returns the mark of a call that the model wrote as text, while it is asked again. The texts of
    /// [`set_session_texts`](Self::set_session_texts) then say so, once in a turn.
    pub fn call_markup_in_answer(&self) -> Option<&str> {
        match &self.turn.as_ref()?.markup {
            Some(Markup::Telling(mark)) => Some(mark),
            Some(Markup::Told) | None => None,
        }
    }

    /// Returns the transcript so far.
    pub const fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// Returns the transcript and ends the run.
    pub fn into_transcript(self) -> Transcript {
        self.transcript
    }

    /// Returns the number of prompts so far.
    pub const fn turn_count(&self) -> usize {
        self.turns
    }

    /// Returns the number of the current step, from 0; `None` if no turn runs.
    pub fn step_number(&self) -> Option<usize> {
        self.running().map(|turn| turn.step)
    }

    /// Returns the remaining time of the turn, as of the last record; `None` if the time is not limited.
    pub fn time_left(&self) -> Option<Duration> {
        self.settings.limits.time_left(&self.turn.as_ref()?.spent)
    }

    /// Returns the tool that the run may force the model to call if the model answers with prose: the tool whose call was rejected last. In
    /// the record of an answer, the driver says whether this tool [is offered](super::Record::Answered) to the model, because providers
    /// reject a request that forces a call of a tool that is not offered.
    pub fn correction_tool(&self) -> Option<&str> {
        self.running()?.corrections.next()
    }

    /// Returns the tool that the model has to call in the next request, because it responded to a rejection with prose.
    pub fn forced_tool(&self) -> Option<&str> {
        let turn = self.turn.as_ref()?;
        match (&turn.prose, &turn.choice) {
            (Some(_), Some(ToolChoice::Tool(tool))) => Some(tool),
            _ => None,
        }
    }

    /// Returns those rejected calls of the last step that the model may correct. The next record clears this list.
    pub fn correctable_calls(&self) -> &[RejectedCall] {
        &self.rejected
    }

    /// Returns the names of containers whose expansions are in the messages. If one of them has collapsed, a driver may apply
    /// [`Record::Collapsed`](super::Record::Collapsed).
    pub fn expanded_containers(&self) -> impl Iterator<Item = &str> {
        self.history.expansions()
    }

    /// Makes the ids of all later calls unique.
    pub(crate) fn make_ids_unique(&mut self) {
        self.settings.has_unique_ids = true;
        self.collect_ids();
    }

    /// Collects the ids that later calls must not have: those of all calls, and those that the model sent.
    pub(super) fn collect_ids(&mut self) {
        self.ids.clear();
        if !self.settings.has_unique_ids {
            return;
        }
        for call in self.transcript.calls() {
            self.ids.extend([call.outcome.call_id().to_owned()].into_iter().chain(call.sent_id.clone()));
        }
        if let Some(Turn { stage: Stage::Calls(step), .. }) = &self.turn {
            self.ids.extend(
                step.calls.iter().flat_map(|open| [open.call.id.clone()].into_iter().chain(open.sent_id.clone())),
            );
        }
    }

    /// Returns the last turn, unless it has ended.
    pub(super) fn running(&self) -> Option<&Turn> {
        self.turn.as_ref().filter(|turn| !turn.has_ended())
    }

    /// Returns the calls of a step in the transcript, with their indices in the step.
    pub(super) fn step_calls(&self, wait: &Wait) -> impl Iterator<Item = (usize, &Call)> {
        let entries = self.transcript.entries().iter().skip(wait.first).take(wait.count);
        let calls = entries.filter_map(|entry| if let Entry::Called(call) = entry { Some(call) } else { None });
        calls.enumerate()
    }
}
