//! The lines of a script.

use std::sync::Arc;
use std::time::Duration;

use tool_runtime::Dialect;
use tool_runtime::clock::Clock;

use super::{Line, ScriptedModel};
use crate::model::{ModelError, Response, ToolCall, Usage};

impl ScriptedModel {
    /// Adds an answer with text.
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Self {
        self.answer(Response::from_text(text))
    }

    /// Adds an answer with one call. The ids of the calls are `call_1`, `call_2`, and so on.
    #[must_use]
    pub fn call(self, name: impl Into<String>, arguments: impl Into<String>) -> Self {
        self.calls([(name.into(), arguments.into())])
    }

    /// Adds an answer with several calls.
    #[must_use]
    pub fn calls<N: Into<String>, A: Into<String>>(self, calls: impl IntoIterator<Item = (N, A)>) -> Self {
        let number = |(name, arguments): (N, A)| {
            let mut state = self.state();
            state.calls += 1;
            ToolCall::new(format!("call_{}", state.calls), name, arguments)
        };
        let calls: Vec<ToolCall> = calls.into_iter().map(number).collect();
        self.answer(Response::from_calls(calls))
    }

    /// Adds an answer.
    #[must_use]
    pub fn answer(self, response: Response) -> Self {
        self.line(Ok(response))
    }

    /// Adds an error.
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

    /// Sets the cost of the answer that was added last.
    ///
    /// # Panics
    ///
    /// Panics if no answer was added, or if the last one is an error.
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

    /// Sets how long the answer that was added last takes on the [clock](Self::clock).
    ///
    /// # Panics
    ///
    /// Panics if no answer was added.
    #[must_use]
    pub fn last_answer_delay(self, delay: Duration) -> Self {
        let mut state = self.state();
        let Some(line) = state.script.back_mut() else {
            panic!("a delay belongs to an answer: enqueue one before it");
        };
        line.delay = Some(delay);
        drop(state);
        self
    }

    /// Sets how long each answer without a delay of its own takes on the [clock](Self::clock). With a pace like that of a real model, and
    /// the same clock in the model and the toolbox, the throttle does not stop the calls of a long script.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::{Toolbox, tool};
    /// # use tool_testkit::TestClock;
    /// /// Looks up a page.
    /// #[tool]
    /// fn page(
    ///     /// Its number.
    ///     number: u32,
    /// ) -> u32 {
    ///     number
    /// }
    ///
    /// let clock = TestClock::new(); // sleeping on it takes no real time
    /// let session = Toolbox::builder().tool(PageTool).clock(clock.clone()).build()?.session();
    /// let model = ScriptedModel::new().clock(clock).default_delay(Duration::from_secs(3));
    /// let model = (0..15).fold(model, |model, number| model.call("page", format!(r#"{{"number": {number}}}"#)));
    /// let mut conversation = Conversation::new(session, model.text("Read."));
    /// pollster::block_on(conversation.ask("Read all pages."));
    /// assert_eq!(conversation.transcript().calls().filter(|call| call.outcome.is_ok()).count(), 15);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn default_delay(self, each: Duration) -> Self {
        self.state().pace = each;
        self
    }

    /// Sets the clock for delays; it needs a timer.
    #[must_use]
    pub fn clock(self, clock: impl Clock) -> Self {
        self.state().clock = Arc::new(clock);
        self
    }

    /// Sets whether the model [sends the provider's form](super::ChatModel::has_answer_forms) of a typed answer. By default, it does.
    #[must_use]
    pub fn with_answer_forms(self, are_sent: bool) -> Self {
        self.state().has_answer_forms = are_sent;
        self
    }

    /// Sets the dialect of the definitions in requests. The default is [`Dialect::OPENAI`].
    #[must_use]
    pub fn in_dialect(self, dialect: Dialect) -> Self {
        self.state().dialect = dialect;
        self
    }

    /// Sets the number of characters in each delta of a streamed answer. By default, an answer arrives as one piece.
    #[must_use]
    pub fn delta_size(self, characters: usize) -> Self {
        self.state().piece = Some(characters.max(1));
        self
    }
}
