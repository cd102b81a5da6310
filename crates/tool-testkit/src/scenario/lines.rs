//! The methods of [`Scenario`] for the host, for the passing of time, and for the end of the last turn.
//!
//! Invariants: a prepared reply answers the first deferred call of its tool. If there is no such call, the scenario fails. A call is
//! answered once.

use std::sync::Arc;
use std::time::Duration;

use tool_runtime::session::DeferredCall;
use tool_runtime::tool::Payload;

use super::Scenario;
use super::expected_ending::ExpectedEnding;
use super::host_reply::HostReply;
use super::step::Step;
use crate::SetupError;

impl Scenario {
    /// Lets time pass on the clock of the session, between two prompts or before the host answers.
    ///
    /// A [`TestClock`] or a [`SimulatedClock`] is advanced, so the test does not wait. With any other clock, the test really waits,
    /// which is useful with a real model. The default clock of a toolbox has no timer, so waiting with it is reported as a mistake.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::{Toolbox, clock::Clock};
    /// # use tool_testkit::{Scenario, TestClock, last_answer};
    /// let clock = TestClock::new();
    /// let toolbox = Toolbox::builder().clock(clock.clone()).build()?;
    /// let scenario = Scenario::new(move || Conversation::new(toolbox.session(), ScriptedModel::new().text("Hi.").text("Bye.")))
    ///     .prompt("Hello!")
    ///     .wait(Duration::from_secs(60))
    ///     .prompt("Good bye.")
    ///     .expect(last_answer().equals("Bye."));
    /// pollster::block_on(scenario.run())?;
    /// assert_eq!(clock.now(), Duration::from_secs(60));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// [`SimulatedClock`]: tool_runtime::clock::SimulatedClock
    /// [`TestClock`]: crate::TestClock
    #[must_use]
    pub fn wait(mut self, time: Duration) -> Self {
        if time.is_zero() {
            self.errors.push(SetupError::Empty("the time to wait"));
        }
        self.steps.push(Step::Wait(time));
        self
    }

    /// Lets the host approve the first deferred call of this tool. The call runs with the deferred arguments, and the turn continues.
    ///
    /// If there is no such call, the scenario fails. If several calls are deferred, add a reply for each of them.
    ///
    /// ```
    /// use tool_runtime::hook::{ProposedCall, Verdict};
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::{Toolbox, tool};
    /// # use tool_testkit::{Scenario, calls, last_answer};
    ///
    /// /// Deletes a file.
    /// #[tool(destructive)]
    /// fn delete(
    ///     /// Which.
    ///     path: String,
    /// ) -> String {
    ///     format!("{path} is gone")
    /// }
    ///
    /// let toolbox = Toolbox::builder().tool(DeleteTool).before_call(|_: &ProposedCall<'_>| Verdict::Defer).build()?;
    /// let model = ScriptedModel::new().call("delete", r#"{"path": "a.txt"}"#).text("It is gone.");
    /// let scenario = Scenario::new(move || Conversation::new(toolbox.session(), model.clone()))
    ///     .prompt("Delete a.txt.")
    ///     .approve("delete")
    ///     .expect(calls("delete").returns("a.txt is gone"))
    ///     .expect(last_answer().contains("gone"));
    /// pollster::block_on(scenario.assert());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn approve(self, tool: &str) -> Self {
        self.reply(tool, HostReply::approve)
    }

    /// Lets the host deny the first deferred call of this tool. The model reads the reason. See [`approve`](Self::approve) for the rules.
    #[must_use]
    pub fn deny(mut self, tool: &str, reason: &str) -> Self {
        if reason.trim().is_empty() {
            self.errors.push(SetupError::Empty("the reason of a denial"));
        }
        let reason = reason.to_owned();
        self.reply(tool, move || HostReply::deny(reason.clone()))
    }

    /// Lets the host answer the first deferred call of this tool, without running the tool. See [`approve`](Self::approve) for the rules.
    ///
    /// ```
    /// use tool_runtime::{ToolInput, tool::ExternalTool};
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// # use tool_testkit::{Scenario, last_answer};
    ///
    /// #[derive(serde::Deserialize, ToolInput)]
    /// #[serde(deny_unknown_fields)]
    /// struct Question {
    ///     /// What to ask.
    ///     question: String,
    /// }
    ///
    /// let ask_user = ExternalTool::typed::<Question>("ask_user", "Asks the user a question.");
    /// let toolbox = Toolbox::builder().tool(ask_user).build()?;
    /// let model = ScriptedModel::new().call("ask_user", r#"{"question": "Which colour?"}"#).text("Blue it is.");
    /// let scenario = Scenario::new(move || Conversation::new(toolbox.session(), model.clone()))
    ///     .prompt("Paint the wall.")
    ///     .answer_deferred("ask_user", "Blue.")
    ///     .expect(last_answer().contains("Blue"));
    /// pollster::block_on(scenario.assert());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn answer_deferred(self, tool: &str, result: impl Into<Payload>) -> Self {
        let result = result.into();
        self.reply(tool, move || HostReply::answer(result.clone()))
    }

    /// Sets the function that returns the host's reply to each deferred call without a prepared reply. Use this if you do not know how many
    /// calls the model makes.
    #[must_use]
    pub fn reply_to_deferred(mut self, reply: impl Fn(&DeferredCall) -> HostReply + Send + Sync + 'static) -> Self {
        self.host = Some(Arc::new(reply));
        self
    }

    fn reply(self, tool: &str, reply: impl Fn() -> HostReply + Send + Sync + 'static) -> Self {
        let mut named = self.naming(tool);
        named.steps.push(Step::HostReply { tool: tool.to_owned(), reply: Arc::new(reply) });
        named
    }

    fn naming(mut self, tool: &str) -> Self {
        if tool.trim().is_empty() {
            self.errors.push(SetupError::Empty("the name of a function"));
        }
        self
    }

    /// Expects the last turn to end because calls of this tool were rejected repeatedly.
    #[must_use]
    pub fn ends_after_rejected_calls(self, tool: &str) -> Self {
        self.naming(tool).ends(ExpectedEnding::Exhausted(tool.to_owned()))
    }

    /// Expects the last turn to end because the model gave no value of the type that [`typed_prompt`](Self::typed_prompt) asks for.
    #[must_use]
    pub fn ends_with_rejected_answer(self) -> Self {
        self.ends(ExpectedEnding::Rejected)
    }

    /// Expects the last turn to end because it reached a limit.
    #[must_use]
    pub fn ends_at_limit(self) -> Self {
        self.ends(ExpectedEnding::Limited)
    }

    /// Expects the last turn to end while a call of this tool is deferred. If the host should answer the call instead, use
    /// [`approve`](Self::approve), [`deny`](Self::deny), [`answer_deferred`](Self::answer_deferred) or [`reply_to_deferred`](Self::reply_to_deferred).
    ///
    /// ```
    /// use tool_runtime::hook::{ProposedCall, Verdict};
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::{Toolbox, tool};
    /// # use tool_testkit::Scenario;
    ///
    /// /// Deletes a file.
    /// #[tool(destructive)]
    /// fn delete(
    ///     /// Which.
    ///     path: String,
    /// ) {
    ///     drop(path);
    /// }
    ///
    /// let toolbox = Toolbox::builder().tool(DeleteTool).before_call(|_: &ProposedCall<'_>| Verdict::Defer).build()?;
    /// let model = ScriptedModel::new().call("delete", r#"{"path": "a.txt"}"#);
    /// let scenario = Scenario::new(move || Conversation::new(toolbox.session(), model.clone()));
    /// pollster::block_on(scenario.prompt("Delete a.txt.").ends_deferred("delete").assert());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn ends_deferred(self, tool: &str) -> Self {
        self.naming(tool).ends(ExpectedEnding::Deferred(tool.to_owned()))
    }

    fn ends(mut self, ending: ExpectedEnding) -> Self {
        if self.ending != ExpectedEnding::Answered && self.ending != ending {
            self.errors.push(SetupError::TwoEndings);
        }
        self.ending = ending;
        self
    }
}
