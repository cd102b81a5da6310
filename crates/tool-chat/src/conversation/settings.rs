//! What a host may set before a conversation begins.

use std::sync::Arc;

use tool_runtime::clock::Clock;

use super::{Conversation, Event, TurnLimits};
use crate::model::Options;

impl Conversation {
    /// What the system message says, before the instructions of expanded containers.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::{Message, ScriptedModel}};
    /// # use tool_runtime::Toolbox;
    /// let model = ScriptedModel::new().text("Noon.");
    /// let session = Toolbox::builder().build()?.session();
    /// let mut conversation = Conversation::new(session, model.clone()).instructions("Be brief.");
    /// pollster::block_on(conversation.ask("What time is it?"));
    /// assert_eq!(model.requests()[0].messages[0], Message::System("Be brief.".to_owned()));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions = text.into();
        self
    }

    /// What each turn may take.
    ///
    /// ```
    /// # use tool_chat::{conversation::{Conversation, End, Limit, TurnLimits}, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// let mut limits = TurnLimits::default();
    /// limits.steps = Some(1);
    /// let session = Toolbox::builder().build()?.session();
    /// let mut conversation = Conversation::new(session, ScriptedModel::new().call("now", "{}")).limits(limits);
    /// let end = pollster::block_on(conversation.ask("What time is it?"));
    /// assert!(matches!(end, End::Limited { limit: Limit::Steps(1) }));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn limits(mut self, limits: TurnLimits) -> Self {
        self.limits = limits;
        self
    }

    /// How the model is to answer. A correction may override the choice of a tool for one request.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::{Options, ScriptedModel}};
    /// # use tool_runtime::Toolbox;
    /// let mut options = Options::default();
    /// options.temperature = Some(0.0);
    /// let conversation = Conversation::new(Toolbox::builder().build()?.session(), ScriptedModel::new()).options(options);
    /// # let _ = conversation;
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Whether a model that answers a refused call with prose is asked once more and must call the tool then; on where nothing is
    /// said. Prose that ends in a question mark is an answer: the model asks for what only the user knows.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// let conversation = Conversation::new(Toolbox::builder().build()?.session(), ScriptedModel::new()).force_corrections(false);
    /// # let _ = conversation;
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn force_corrections(mut self, forces: bool) -> Self {
        self.forces = forces;
        self
    }

    /// Whether a turn waits where calls are deferred, and ends [`Deferred`](super::End::Deferred) until they are answered; on where nothing
    /// is said. Otherwise the model reads at once that such a call has no answer yet and goes on without. What the host has for it then is
    /// no part of the turn; it may be told in a later prompt.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// let conversation = Conversation::new(Toolbox::builder().build()?.session(), ScriptedModel::new()).wait_for_deferred(false);
    /// # let _ = conversation;
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn wait_for_deferred(mut self, waits: bool) -> Self {
        self.waits = waits;
        self
    }

    /// Whether answers are taken piece by piece. Then [`Event::Delta`] tells each piece, and arguments are read while they come: an
    /// answer is not read further once they can no longer become JSON, and what does not fit the tool is told by
    /// [`Event::Doubtful`].
    ///
    /// ```
    /// # use tool_chat::{conversation::{Conversation, End}, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// let model = ScriptedModel::new().in_pieces_of(2).text("Noon.");
    /// let mut conversation = Conversation::new(Toolbox::builder().build()?.session(), model).streaming(true);
    /// assert!(matches!(pollster::block_on(conversation.ask("What time is it?")), End::Answered { text, .. } if text == "Noon."));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn streaming(mut self, streams: bool) -> Self {
        self.streams = streams;
        self
    }

    /// What the time is measured on. A limit of time is kept while the model or a tool is at work only where the clock has a timer;
    /// otherwise it is looked at between the steps.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::{Toolbox, clock::SimulatedClock};
    /// let conversation = Conversation::new(Toolbox::builder().build()?.session(), ScriptedModel::new()).clock(SimulatedClock::new());
    /// # let _ = conversation;
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Who learns of what happens. What the session decides about each call, its own observer learns.
    ///
    /// ```
    /// # use tool_chat::{conversation::{Conversation, Event}, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// # let session = Toolbox::builder().build()?.session();
    /// let conversation = Conversation::new(session, ScriptedModel::new()).on_event(|event| {
    ///     if let Event::Forced { tool, .. } = event {
    ///         println!("the model has to call {tool}");
    ///     }
    /// });
    /// # let _ = conversation;
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn on_event(mut self, listener: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Self {
        self.listener = Some(Arc::new(listener));
        self
    }
}
