//! The lines of a script, and how they are given.

use std::sync::Arc;
use std::time::Duration;

use tool_runtime::Format;
use tool_runtime::clock::Clock;

use super::{Line, ScriptedModel};
use crate::model::{ModelError, Response, ToolCall, Usage};

impl ScriptedModel {
    /// Then it says this.
    ///
    /// ```
    /// let model = tool_chat::model::ScriptedModel::new().text("Noon.").text("Still noon.");
    /// # let _ = model;
    /// ```
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Self {
        self.answer(Response::text(text))
    }

    /// Then it makes one call; the ids of calls are `call_1`, `call_2` ….
    ///
    /// ```
    /// let model = tool_chat::model::ScriptedModel::new().call("get_weather", r#"{"location": "Paris"}"#);
    /// # let _ = model;
    /// ```
    #[must_use]
    pub fn call(self, name: impl Into<String>, arguments: impl Into<String>) -> Self {
        self.calls([(name.into(), arguments.into())])
    }

    /// Then it makes several calls in one message.
    ///
    /// ```
    /// let cities = [("get_weather", r#"{"location": "Paris"}"#), ("get_weather", r#"{"location": "London"}"#)];
    /// let model = tool_chat::model::ScriptedModel::new().calls(cities);
    /// # let _ = model;
    /// ```
    #[must_use]
    pub fn calls<N: Into<String>, A: Into<String>>(self, calls: impl IntoIterator<Item = (N, A)>) -> Self {
        let number = |(name, arguments): (N, A)| {
            let mut state = self.state();
            state.calls += 1;
            ToolCall::new(format!("call_{}", state.calls), name, arguments)
        };
        let calls: Vec<ToolCall> = calls.into_iter().map(number).collect();
        self.answer(Response::calls(calls))
    }

    /// Then it answers like this.
    ///
    /// ```
    /// use tool_chat::model::{Response, ScriptedModel, StopReason};
    ///
    /// let cut = Response::text("It is no").with_stop(StopReason::Length);
    /// let model = ScriptedModel::new().answer(cut);
    /// # let _ = model;
    /// ```
    #[must_use]
    pub fn answer(self, response: Response) -> Self {
        self.line(Ok(response))
    }

    /// Then it fails.
    ///
    /// ```
    /// use tool_chat::model::{ModelError, ModelErrorKind, ScriptedModel};
    ///
    /// let model = ScriptedModel::new().error(ModelError::new(ModelErrorKind::Transport, "connection reset"));
    /// # let _ = model;
    /// ```
    #[must_use]
    pub fn error(self, error: ModelError) -> Self {
        self.line(Err(error))
    }

    fn line(self, answer: Result<Response, ModelError>) -> Self {
        let mut state = self.state();
        state.script.push_back(Line { answer, delay: None });
        state.enqueued += 1;
        drop(state);
        self
    }

    /// What the answer that was enqueued last costs.
    ///
    /// ```
    /// use tool_chat::model::{ScriptedModel, Usage};
    ///
    /// let model = ScriptedModel::new().text("Noon.").usage(Usage::new(12, 3));
    /// # let _ = model;
    /// ```
    ///
    /// # Panics
    ///
    /// When no answer was enqueued, or the last is an error: the test is wrong then.
    #[must_use]
    pub fn usage(self, usage: Usage) -> Self {
        let mut state = self.state();
        let Some(Line { answer: Ok(response), .. }) = state.script.back_mut() else {
            panic!("usage belongs to an answer: enqueue one before it");
        };
        response.usage = usage;
        drop(state);
        self
    }

    /// How long the answer that was enqueued last takes, by the [clock](Self::clock).
    ///
    /// ```
    /// use std::time::Duration;
    /// use tool_chat::model::ScriptedModel;
    /// use tool_runtime::clock::SimulatedClock;
    ///
    /// let clock = SimulatedClock::new();
    /// let model = ScriptedModel::new().clock(clock.clone()).text("Noon.").delay(Duration::from_secs(2));
    /// # let _ = model;
    /// ```
    ///
    /// # Panics
    ///
    /// When no answer was enqueued: the test is wrong then.
    #[must_use]
    pub fn delay(self, delay: Duration) -> Self {
        let mut state = self.state();
        let Some(line) = state.script.back_mut() else {
            panic!("a delay belongs to an answer: enqueue one before it");
        };
        line.delay = Some(delay);
        drop(state);
        self
    }

    /// How long each answer takes that has no delay of its own, by the [clock](Self::clock). With the clock of the toolbox a script
    /// of many calls is no faster than a real model, so that the throttle has nothing to say to it.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::{Toolbox, tool};
    /// # use tool_testkit::SkippingClock;
    /// /// Looks up a page.
    /// #[tool]
    /// fn page(
    ///     /// Its number.
    ///     number: u32,
    /// ) -> u32 {
    ///     number
    /// }
    ///
    /// let clock = SkippingClock::new(); // nobody waits on it
    /// let session = Toolbox::builder().tool(PageTool).clock(clock.clone()).build()?.session();
    /// let model = ScriptedModel::new().clock(clock).pace(Duration::from_secs(3));
    /// let model = (0..15).fold(model, |model, number| model.call("page", format!(r#"{{"number": {number}}}"#)));
    /// let mut conversation = Conversation::new(session, model.text("Read."));
    /// pollster::block_on(conversation.ask("Read all pages."));
    /// assert!(conversation.transcript().calls().all(|call| call.outcome.is_ok()));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn pace(self, each: Duration) -> Self {
        self.state().pace = each;
        self
    }

    /// What delays are waited for on; a delay needs a clock with a timer.
    ///
    /// ```
    /// use tool_chat::model::ScriptedModel;
    /// use tool_runtime::clock::SimulatedClock;
    ///
    /// let model = ScriptedModel::new().clock(SimulatedClock::new());
    /// # let _ = model;
    /// ```
    #[must_use]
    pub fn clock(self, clock: impl Clock) -> Self {
        self.state().clock = Arc::new(clock);
        self
    }

    /// In which form it wants definitions; as for `OpenAI` where nothing is said.
    ///
    /// ```
    /// use tool_chat::model::ScriptedModel;
    /// use tool_runtime::Format;
    ///
    /// let model = ScriptedModel::new().in_format(Format::Anthropic);
    /// # let _ = model;
    /// ```
    #[must_use]
    pub fn in_format(self, format: Format) -> Self {
        self.state().format = format;
        self
    }

    /// How many characters each delta has where its answers are streamed; without this an answer comes at once.
    ///
    /// ```
    /// let model = tool_chat::model::ScriptedModel::new().in_pieces_of(3).text("It is noon.");
    /// # let _ = model;
    /// ```
    #[must_use]
    pub fn in_pieces_of(self, characters: usize) -> Self {
        self.state().piece = Some(characters.max(1));
        self
    }
}
