//! Settings of a conversation.

use std::sync::Arc;

use tool_report::CallRecorder;
use tool_runtime::clock::Clock;

use super::{Conversation, ConversationEvent, TurnLimits};
use crate::model::Options;

impl Conversation {
    /// Sets the system message. The instructions of expanded containers are appended to it.
    #[must_use]
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.run = self.run.instructions(text);
        self
    }

    /// Sets the limits of each turn.
    ///
    /// ```
    /// # use tool_chat::{conversation::{Conversation, TurnEnd, TurnLimit, TurnLimits}, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// let mut limits = TurnLimits::default();
    /// limits.steps = Some(1);
    /// let session = Toolbox::builder().build()?.session();
    /// let mut conversation = Conversation::new(session, ScriptedModel::new().call("now", "{}")).limits(limits);
    /// let end = pollster::block_on(conversation.ask("What time is it?"));
    /// assert!(matches!(end, TurnEnd::Limited { limit: TurnLimit::Steps(1) }));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn limits(mut self, limits: TurnLimits) -> Self {
        self.run = self.run.limits(limits);
        self
    }

    /// Sets the options of each request to the model. A correction may override the tool choice of one request.
    #[must_use]
    pub fn request_options(mut self, options: Options) -> Self {
        self.run = self.run.request_options(options);
        self
    }

    /// Sets whether a model that responds to a rejection of its call with prose gets one further request, in which it must call the tool. On
    /// by default.
    ///
    /// Prose that ends with a question mark is accepted as the answer, because the model may need information from the user.
    #[must_use]
    pub fn force_corrections(mut self, forces: bool) -> Self {
        self.run = self.run.force_corrections(forces);
        self
    }

    /// Sets whether the expansion of a container is replaced by one short line in the history once the container has collapsed; off by
    /// default.
    ///
    /// This makes the history shorter, and the model no longer reads about functions that it cannot call. On the other hand, a provider's
    /// prompt cache is only valid up to the first message that changed.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// use tool_runtime::{Container, Toolbox, container::{ExpansionSettings, ExpansionScope}};
    ///
    /// let files = Container::new("Files", "Reading of files.");
    /// let session = Toolbox::builder().container(files).expansion(ExpansionSettings::new().scope(ExpansionScope::Turn)).build()?.session();
    /// let model = ScriptedModel::new().call("Files", "{}").text("It is empty.").text("Still empty.");
    /// let mut conversation = Conversation::new(session, model.clone()).shorten_expansions(true);
    /// pollster::block_on(conversation.ask("Which files are there?"));
    /// pollster::block_on(conversation.ask("And now?"));
    /// let sent = &model.requests()[2].messages;
    /// assert!(sent.iter().any(|message| message.text() == "Files has collapsed. To see its functions again, call Files."));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn shorten_expansions(mut self, shortens: bool) -> Self {
        self.shortens = shortens;
        self
    }

    /// Sets whether a turn with deferred calls ends with [`Deferred`](super::TurnEnd::Deferred) and waits for their answers. On by default.
    ///
    /// If this is off, the model reads at once that a deferred call has no answer yet, and continues the turn. A later answer is not a part
    /// of the turn, but the host may mention it in a prompt.
    #[must_use]
    pub fn wait_for_deferred(mut self, waits: bool) -> Self {
        self.run = self.run.wait_for_deferred(waits);
        self
    }

    /// Sets whether answers are streamed. Off by default.
    ///
    /// Each piece is reported as [`ConversationEvent::Delta`], and arguments are checked while they arrive. Once the arguments of a call can no longer
    /// become valid JSON, the rest of the answer is not read. Arguments that do not match the input of the tool are reported as
    /// [`ConversationEvent::EarlyIssues`].
    #[must_use]
    pub fn streaming(mut self, streams: bool) -> Self {
        self.streams = streams;
        self
    }

    /// Sets the clock that measures durations. If the clock has a timer, a time limit also ends a running request or call. Otherwise, the
    /// time limit is only checked between steps.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Sets the listener for events of the conversation. Decisions of the session about a call are reported to the observer of the session
    /// instead.
    #[must_use]
    pub fn on_event(mut self, listener: impl Fn(&ConversationEvent<'_>) + Send + Sync + 'static) -> Self {
        self.listener = Some(Arc::new(listener));
        self
    }

    /// Adds the prompts of the conversation and the texts of the model to a recording. Its calls are recorded if the recorder is an observer of the
    /// toolbox.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    /// use tool_chat::conversation::Conversation;
    /// use tool_chat::model::ScriptedModel;
    /// use tool_report::{CallRecorder, CallReport};
    /// use tool_runtime::Toolbox;
    ///
    /// let report = Arc::new(Mutex::new(CallReport::new()));
    /// let lines = Arc::clone(&report);
    /// let recorder = CallRecorder::new(move |line| {
    ///     if let Ok(line) = line.parse() {
    ///         lines.lock().unwrap().add_line(line);
    ///     }
    /// });
    /// let toolbox = Toolbox::builder().observer(recorder.clone()).build()?;
    /// recorder.record_toolbox(&toolbox);
    /// let model = ScriptedModel::new().call("now", "{}").text("I do not know.");
    /// let mut conversation = Conversation::new(toolbox.session(), model).recorder(&recorder);
    /// pollster::block_on(conversation.ask("What time is it?"));
    /// assert_eq!(report.lock().unwrap().tools()["now"].rejected, 1);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn recorder(mut self, recorder: &CallRecorder) -> Self {
        self.recorder = Some(recorder.clone());
        self
    }
}
