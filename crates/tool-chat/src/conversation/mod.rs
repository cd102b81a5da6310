//! The driver of a [`Run`] for one process: a model and a [`Session`] exchange calls and results until the model answers without calls.
//!
//! Invariants: this module acts, but the run makes the decisions. The cost of a turn is bounded. If the future of
//! [`ask`](Conversation::ask) is dropped, the conversation is in the state after its last complete step.

mod argument_watch;
mod deferred;
mod event;
mod pending;
mod run_step;
mod settings;
mod turn_loop;
pub(crate) mod typed_answer;

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub use crate::run::{AnswerError, TurnEnd, TurnLimit, TurnLimits};
pub use deferred::ResumeError;
pub use event::ConversationEvent;

use self::pending::Pending;
use crate::model::{ChatModel, ModelError, ModelErrorKind, PromptPrefix};
use crate::run::{AnswerType, Next, Record, Run, UnexpectedRecordError};
use crate::transcript::Transcript;
use tool_report::CallRecorder;
use tool_runtime::clock::{Clock, SystemClock};
use tool_runtime::session::Session;

/// A conversation of a user, a model and the tools of a session.
///
/// ```
/// use tool_chat::model::ScriptedModel;
/// use tool_runtime::{Toolbox, tool};
/// use tool_chat::conversation::{Conversation, TurnEnd};
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
/// let model = ScriptedModel::new().call("add", r#"{"a": 1}"#).call("add", r#"{"a": 1, "b": 2}"#).text("Three.");
/// let session = Toolbox::builder().tool(AddTool).build()?.session();
/// let mut conversation = Conversation::new(session, model).instructions("Use the tools.");
/// let end = pollster::block_on(conversation.ask("What is one and two?"));
/// assert!(matches!(end, TurnEnd::Answered { text, .. } if text == "Three."));
/// let results: Vec<_> = conversation.transcript().calls().map(|call| call.outcome.is_ok()).collect();
/// assert_eq!(results, [false, true]);
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
pub struct Conversation {
    session: Session,
    model: Arc<dyn ChatModel>,
    run: Run,
    shortens: bool,
    streams: bool,
    clock: Arc<dyn Clock>,
    listener: Option<Arc<Listener>>,
    recorder: Option<CallRecorder>,
    /// The last request, if there is a listener.
    prefix: Mutex<PromptPrefix>,
    /// The time at which the last record was applied, on `clock`.
    recorded: Duration,
    pending: Option<Pending>,
    /// The type of the answer that the turn asks for, if it asks for one.
    answering: Option<AnswerType>,
}

type Listener = dyn Fn(&ConversationEvent<'_>) + Send + Sync;

impl Conversation {
    /// Creates an empty conversation.
    pub fn new(session: Session, model: impl ChatModel + 'static) -> Self {
        Self {
            session,
            model: Arc::new(model),
            run: Run::new(),
            shortens: false,
            streams: false,
            clock: Arc::new(SystemClock::new()),
            listener: None,
            recorder: None,
            prefix: Mutex::default(),
            recorded: Duration::ZERO,
            pending: None,
            answering: None,
        }
    }

    /// Continues a stored run, with its settings. If a turn waits for the host, [`resume`](Self::resume) continues it. A turn that was
    /// stored in the middle of a step is stopped, and its calls without an answer count as cancelled. To run these calls again, [drive the
    /// loop yourself](crate::run).
    ///
    /// ```
    /// use tool_chat::conversation::Conversation;
    /// use tool_chat::model::ScriptedModel;
    /// use tool_runtime::Toolbox;
    ///
    /// let toolbox = Toolbox::builder().build()?;
    /// let mut conversation = Conversation::new(toolbox.session(), ScriptedModel::new().text("Noon."));
    /// pollster::block_on(conversation.ask("What time is it?"));
    /// let stored = serde_json::to_string(conversation.run_state())?;
    ///
    /// let model = ScriptedModel::new().text("You are welcome.");
    /// let mut conversation = Conversation::from_run(toolbox.session(), model, serde_json::from_str(&stored)?);
    /// pollster::block_on(conversation.ask("Thanks."));
    /// assert_eq!(conversation.transcript().entries().len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_run(session: Session, model: impl ChatModel + 'static, mut run: Run) -> Self {
        let pending = match run.next() {
            Next::Wait(calls) => {
                let (turn, step) = (run.turn_count().saturating_sub(1), run.step_number().unwrap_or_default());
                Some(Pending::new(turn, step, &calls))
            }
            _ => None,
        };
        // In runs of earlier versions, several calls may have the same id.
        run.make_ids_unique();
        if pending.is_none() {
            // An error means that no turn runs, so there is nothing to stop.
            let _ = run.apply_record(Record::from_stopped_turn([]));
        }
        Self { run, pending, ..Self::new(session, model) }
    }

    /// Returns the run, which can be stored.
    pub const fn run_state(&self) -> &Run {
        &self.run
    }

    /// Returns the transcript so far.
    pub const fn transcript(&self) -> &Transcript {
        self.run.transcript()
    }

    /// Returns the transcript and ends the conversation.
    pub fn into_transcript(self) -> Transcript {
        self.run.into_transcript()
    }

    /// Returns the session whose tools are called.
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// Sends a prompt, and runs the model's calls until it answers, cannot continue, or reaches a limit.
    ///
    /// After any end, the next prompt continues the conversation. A turn that waits for the host continues with [`resume`](Self::resume).
    /// If you send another prompt instead, the deferred calls of the waiting turn are cancelled, and the model reads that they were
    /// cancelled.
    pub async fn ask(&mut self, prompt: impl Into<String>) -> TurnEnd {
        self.answering = None;
        self.turn(prompt.into()).await
    }

    async fn turn(&mut self, prompt: String) -> TurnEnd {
        self.give_up();
        let number = self.run.turn_count();
        self.session.begin_turn();
        self.report_event(&ConversationEvent::Prompted { turn: number, prompt: &prompt });
        self.recorded = self.clock.now();
        let end = match self.apply(Record::from_prompt(prompt)) {
            Ok(()) => self.steps(number).await,
            Err(error) => misfit(&error),
        };
        self.ended(number, end)
    }

    /// Reports the end of a turn to the listener, and to the session unless the turn only waits for the host.
    fn ended(&self, turn: usize, end: TurnEnd) -> TurnEnd {
        if !matches!(end, TurnEnd::Deferred { .. }) {
            self.session.end_turn();
        }
        self.report_event(&ConversationEvent::Ended { turn, end: &end });
        end
    }

    /// Applies a record, and sets its duration to the time since the previous record.
    fn apply(&mut self, record: Record) -> Result<(), UnexpectedRecordError> {
        let now = self.clock.now();
        let took = now.saturating_sub(self.recorded);
        self.recorded = now;
        if let Some(recorder) = &self.recorder {
            record.write_to_recorder(recorder, self.session.id());
        }
        self.run.apply_record(record.with_time_since_previous(took))
    }

    /// Reports the rejected calls of the last step.
    fn report_rejected(&self) {
        for rejected in self.run.correctable_calls() {
            let (turn, step, attempts) = (rejected.turn, rejected.step, rejected.attempts);
            self.report_event(&ConversationEvent::CallRejected { turn, step, tool: &rejected.tool, attempts });
        }
    }

    fn report_event(&self, event: &ConversationEvent<'_>) {
        if let Some(listener) = &self.listener {
            listener(event);
        }
    }
}

impl fmt::Debug for Conversation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conversation").field("turns", &self.run.turn_count()).finish_non_exhaustive()
    }
}

/// Returns the [`TurnEnd`] of a turn whose run has rejected a record. This only happens if this driver has a bug.
fn misfit(error: &UnexpectedRecordError) -> TurnEnd {
    TurnEnd::Failed { error: ModelError::new(ModelErrorKind::Mismatch, error.to_string()) }
}
