//! The turn loop: a model and a [`Session`] exchange calls and results until the model answers without calls.
//!
//! Invariants: each call of the model is answered under its id before the next request. The cost of a turn is bounded. If the future of
//! [`ask`](Conversation::ask) is dropped, the conversation is in the state after its last complete step.

mod corrections;
mod deferred;
mod end;
mod event;
mod history;
mod limits;
mod made;
mod pending;
mod settings;
mod step;
mod turn;
mod turn_loop;
mod watch;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

pub use deferred::ResumeError;
pub use end::{End, Limit};
pub use event::Event;
pub use limits::TurnLimits;

use self::history::History;
use self::limits::Spent;
use self::pending::Pending;
use self::turn::Turn;
use crate::model::{ChatModel, Options, Response};
use crate::transcript::{Entry, Transcript};
use tool_runtime::clock::{Clock, SystemClock};
use tool_runtime::session::Session;

/// A conversation of a user, a model and the tools of a session.
///
/// ```
/// use tool_chat::model::ScriptedModel;
/// use tool_runtime::{Toolbox, tool};
/// use tool_chat::conversation::{Conversation, End};
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
/// assert!(matches!(end, End::Answered { text, .. } if text == "Three."));
/// let results: Vec<_> = conversation.transcript().calls().map(|call| call.outcome.is_ok()).collect();
/// assert_eq!(results, [false, true]);
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
pub struct Conversation {
    session: Session,
    model: Arc<dyn ChatModel>,
    instructions: String,
    limits: TurnLimits,
    options: Options,
    forces: bool,
    shortens: bool,
    streams: bool,
    waits: bool,
    clock: Arc<dyn Clock>,
    listener: Option<Arc<Listener>>,
    history: History,
    transcript: Transcript,
    turns: usize,
    pending: Option<Pending>,
}

type Listener = dyn Fn(&Event<'_>) + Send + Sync;

impl Conversation {
    /// Creates an empty conversation.
    pub fn new(session: Session, model: impl ChatModel + 'static) -> Self {
        Self {
            session,
            model: Arc::new(model),
            instructions: String::new(),
            limits: TurnLimits::default(),
            options: Options::default(),
            forces: true,
            shortens: false,
            streams: false,
            waits: true,
            clock: Arc::new(SystemClock::new()),
            listener: None,
            history: History::default(),
            transcript: Transcript::new(),
            turns: 0,
            pending: None,
        }
    }

    /// Returns the transcript so far.
    pub const fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// Returns the transcript and ends the conversation.
    pub fn into_transcript(self) -> Transcript {
        self.transcript
    }

    /// Returns the session whose tools are called.
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// Sends a prompt, and runs the model's calls until it answers, cannot continue, or reaches a limit.
    ///
    /// After any end, the next prompt continues the conversation. A turn that waits for the host continues with [`resume`](Self::resume).
    /// If another prompt is sent instead, its deferred calls are cancelled, and the model reads that they were cancelled.
    ///
    /// ```
    /// # use tool_chat::{conversation::{Conversation, End}, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// let model = ScriptedModel::new().text("Noon.").text("You are welcome.");
    /// let mut conversation = Conversation::new(Toolbox::builder().build()?.session(), model);
    /// pollster::block_on(conversation.ask("What time is it?"));
    /// assert!(matches!(pollster::block_on(conversation.ask("Thanks.")), End::Answered { text, .. } if text == "You are welcome."));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub async fn ask(&mut self, prompt: impl Into<String>) -> End {
        self.turn(prompt.into()).await
    }

    async fn turn(&mut self, prompt: String) -> End {
        self.give_up();
        let number = self.turns;
        self.turns += 1;
        self.session.begin_turn();
        self.tell(&Event::Asked { turn: number, prompt: &prompt });
        self.history.prompt(&prompt);
        self.transcript.push(Entry::Prompt { turn: number, text: prompt });
        let end = self.steps(Turn::new(number, Spent::new(self.clock.now()))).await;
        self.ended(number, end)
    }

    /// Reports the end of a turn. For the session, a turn that waits for the host has not ended.
    fn ended(&self, turn: usize, end: End) -> End {
        if !matches!(end, End::Deferred { .. }) {
            self.session.end_turn();
        }
        self.tell(&Event::Ended { turn, end: &end });
        end
    }

    /// Adds the cost and the duration of an answer to the turn and to the transcript.
    fn spend(&mut self, spent: &mut Spent, response: Option<&Response>, begun: Duration) {
        let usage = response.map(|response| response.usage).unwrap_or_default();
        spent.usage += usage;
        self.transcript.spend(usage, self.clock.now().saturating_sub(begun));
    }

    fn tell(&self, event: &Event<'_>) {
        if let Some(listener) = &self.listener {
            listener(event);
        }
    }
}

impl fmt::Debug for Conversation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conversation").field("turns", &self.turns).finish_non_exhaustive()
    }
}
