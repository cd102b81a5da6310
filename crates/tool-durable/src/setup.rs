//! The parts of a conversation that are code, and the settings of a new conversation: [`ConversationSetup`].

use std::fmt;
use std::sync::Arc;

use tool_chat::conversation::TurnLimits;
use tool_chat::model::{ChatModel, Options};
use tool_chat::run::{AnswerType, Run};
use tool_report::CallRecorder;
use tool_runtime::session::Cipher;
use tool_runtime::throttle::SharedHealth;
use tool_runtime::tool_schema::ToolInput;
use tool_runtime::toolbox::{NeedsSessionState, States, Toolbox};

use crate::listener_event::{Listener, ListenerEvent};

/// Everything that the host provides to open a conversation: tools, the model, states and settings.
///
/// Tools, model, states, cipher and listener are code, so you provide them each time that you open the conversation. The toolbox may have
/// changed since the conversation was last open. The settings of the turn loop are stored with the conversation: they are used when it
/// begins, and ignored later.
///
/// ```
/// use tool_chat::model::{Message, ScriptedModel};
/// use tool_durable::{ConversationSetup, DurableConversations, InMemoryStore};
/// use tool_runtime::Toolbox;
///
/// # pollster::block_on(async {
/// let model = ScriptedModel::new().text("Noon.");
/// let setup = ConversationSetup::new(&Toolbox::builder().build()?, model.clone()).instructions("Be brief.");
/// let mut conversation = DurableConversations::new(InMemoryStore::new()).open("clock 7", setup).await?;
/// conversation.ask("What time is it?").await?;
/// assert_eq!(model.requests()[0].messages[0], Message::System("Be brief.".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct ConversationSetup {
    pub(crate) toolbox: Toolbox<NeedsSessionState>,
    pub(crate) model: Arc<dyn ChatModel>,
    pub(crate) run: Run,
    pub(crate) states: States,
    pub(crate) cipher: Option<Arc<dyn Cipher>>,
    pub(crate) listener: Option<Arc<Listener>>,
    pub(crate) recorder: Option<CallRecorder>,
    pub(crate) health: Option<Arc<dyn SharedHealth>>,
    pub(crate) answering: Option<AnswerType>,
}

impl ConversationSetup {
    /// Creates a setup with these tools and this model.
    pub fn new<S>(toolbox: &Toolbox<S>, model: impl ChatModel + 'static) -> Self {
        let (toolbox, model) = (toolbox.into(), Arc::new(model));
        Self {
            toolbox,
            model,
            run: Run::new(),
            states: States::new(),
            cipher: None,
            listener: None,
            recorder: None,
            health: None,
            answering: None,
        }
    }

    /// Sets the system message of a new conversation.
    #[must_use]
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.run = self.run.instructions(text);
        self
    }

    /// Sets the limits of each turn of a new conversation. A time limit ends a running call only if the clock of the toolbox has a timer.
    #[must_use]
    pub fn limits(mut self, limits: TurnLimits) -> Self {
        self.run = self.run.limits(limits);
        self
    }

    /// Sets the request options with which a new conversation begins.
    #[must_use]
    pub fn request_options(mut self, options: Options) -> Self {
        self.run = self.run.request_options(options);
        self
    }

    /// Adds a state of the session, such as the user who is logged in.
    #[must_use]
    pub fn state<T: Send + Sync + 'static>(mut self, state: T) -> Self {
        self.states = self.states.with(state);
        self
    }

    /// Sets the cipher that encrypts the sensitive part of the saved session. You need one if calls of tools with sensitive parameters can
    /// be deferred.
    ///
    /// The cipher does not encrypt the rest of the conversation, such as arguments and results of other calls, which may contain sensitive
    /// values too.
    #[must_use]
    pub fn sensitive_cipher(mut self, cipher: impl Cipher + 'static) -> Self {
        self.cipher = Some(Arc::new(cipher));
        self
    }

    /// Shares the health of tools with other conversations, for example through an [`IngressHealth`](crate::IngressHealth). Conversations on
    /// Restate ignore it, because their workers have a setting of their own.
    #[must_use]
    pub fn shared_health(mut self, health: impl SharedHealth) -> Self {
        self.health = Some(Arc::new(health));
        self
    }

    /// Sets the type of the answer to each prompt, also on Restate, where a prompt contains no type. A rejected answer is corrected as in
    /// [`DurableConversation::answer`](crate::DurableConversation::answer).
    ///
    /// The text at the end of a turn then contains a value of the type, in the form in which the provider was asked for it.
    /// [`AnswerForm::read`](tool_runtime::tool_schema::AnswerForm::read) reads it.
    ///
    /// ```
    /// use tool_chat::model::ScriptedModel;
    /// use tool_durable::{ConversationSetup, DurableConversations, InMemoryStore};
    /// use tool_runtime::tool_schema::AnswerForm;
    /// use tool_runtime::{Dialect, Toolbox};
    ///
    /// # pollster::block_on(async {
    /// let model = ScriptedModel::new().text("Six or seven.").text(r#"{"value": 7}"#);
    /// let setup = ConversationSetup::new(&Toolbox::builder().build()?, model).answer_type::<u8>();
    /// let mut conversation = DurableConversations::new(InMemoryStore::new()).open("count", setup).await?;
    /// let end = conversation.ask("How many?").await?;
    /// let form = AnswerForm::<u8>::new(Dialect::OPENAI, &Default::default())?;
    /// assert_eq!(form.read(end.text().unwrap_or_default())?.value, 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn answer_type<T: ToolInput>(mut self) -> Self {
        self.answering = Some(AnswerType::new::<T>());
        self
    }

    /// Sets the listener for [`ListenerEvent`]s.
    #[must_use]
    pub fn on_event(mut self, listener: impl Fn(&ListenerEvent<'_>) + Send + Sync + 'static) -> Self {
        self.listener = Some(Arc::new(listener));
        self
    }

    /// Adds the prompts of the conversation and the texts of the model to a recording, once they are in the log. The calls are recorded if the recorder
    /// is an observer of the toolbox. On Restate, only calls are recorded.
    #[must_use]
    pub fn recorder(mut self, recorder: &CallRecorder) -> Self {
        self.recorder = Some(recorder.clone());
        self
    }
}

impl fmt::Debug for ConversationSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConversationSetup").field("states", &self.states).finish_non_exhaustive()
    }
}
