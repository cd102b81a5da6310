//! What the host answers in a scenario where calls wait for it: [`Reply`], and the lines of a [`Scenario`] that say so.
//!
//! In: calls that a hook deferred, and those of tools without a handler. Out: the turn goes on. What always holds: a reply that was said in
//! advance goes to the first call of its tool that waits, and it is a fault where none does; a call is answered once.

use std::fmt;
use std::sync::Arc;

use super::Scenario;
use super::step::Step;
use crate::session::{Completion, DeferredCall};
use crate::testkit::Misuse;
use crate::tool::Payload;

/// What the host says to a call that waits.
///
/// ```
/// use tool_runtime::testkit::Reply;
///
/// let replies = [Reply::approve(), Reply::deny("Not in production."), Reply::answer("Blue.")];
/// assert_eq!(format!("{:?}", replies[0]), "Reply(approve)");
/// ```
pub struct Reply(pub(super) Said);

pub(super) enum Said {
    Yes,
    Completed(Completion),
}

impl Reply {
    /// The call runs, with the arguments that were deferred.
    ///
    /// ```
    /// # use tool_runtime::testkit::Reply;
    /// assert_eq!(format!("{:?}", Reply::approve()), "Reply(approve)");
    /// ```
    pub const fn approve() -> Self {
        Self(Said::Yes)
    }

    /// The call does not run: the model reads the reason as the failure `denied`.
    ///
    /// ```
    /// # use tool_runtime::testkit::Reply;
    /// assert!(format!("{:?}", Reply::deny("Not in production.")).contains("production"));
    /// ```
    pub fn deny(reason: impl Into<String>) -> Self {
        Self(Said::Completed(Completion::denied(reason)))
    }

    /// The call does not run: this is its result, or its failure.
    ///
    /// ```
    /// use tool_runtime::{ToolError, testkit::Reply};
    ///
    /// assert!(format!("{:?}", Reply::answer("Blue.")).contains("Blue."));
    /// assert!(format!("{:?}", Reply::answer(ToolError::new("The user has left."))).contains("has left"));
    /// ```
    pub fn answer(answer: impl Into<Completion>) -> Self {
        Self(Said::Completed(answer.into()))
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Said::Yes => f.write_str("Reply(approve)"),
            Said::Completed(completion) => write!(f, "Reply({completion:?})"),
        }
    }
}

/// How a host answers whatever waits.
pub(super) type Host = Arc<dyn Fn(&DeferredCall) -> Reply + Send + Sync>;

impl Scenario {
    /// The host lets the first call of this tool that waits run, with the arguments that were deferred; then the turn goes on.
    ///
    /// That such a call waits is expected, too: where none does, the scenario fails. Of several calls that wait, each wants a line.
    ///
    /// ```
    /// use tool_runtime::hook::{ProposedCall, Verdict};
    /// # use tool_runtime::{Toolbox, conversation::Conversation, model::ScriptedModel, testkit::{Scenario, calls, text}, tool};
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
    ///     .expect(text().contains("gone"));
    /// pollster::block_on(scenario.assert());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn approve(self, tool: &str) -> Self {
        self.reply(tool, Reply::approve)
    }

    /// The host does not let the first call of this tool that waits run, and the model reads why; otherwise as [`approve`](Self::approve).
    ///
    /// ```
    /// # use tool_runtime::{Toolbox, conversation::Conversation, model::ScriptedModel, testkit::Scenario};
    /// # let toolbox = Toolbox::builder().build()?;
    /// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new());
    /// assert!(Scenario::new(begin).prompt("Delete it.").deny("delete", "Not in production.").check().is_ok());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn deny(mut self, tool: &str, reason: &str) -> Self {
        if reason.trim().is_empty() {
            self.misuses.push(Misuse::Empty("the reason of a denial"));
        }
        let reason = reason.to_owned();
        self.reply(tool, move || Reply::deny(reason.clone()))
    }

    /// The host answers the first call of this tool that waits, instead of the tool; otherwise as [`approve`](Self::approve).
    ///
    /// ```
    /// use tool_runtime::{ToolInput, tool::ExternalTool};
    /// # use tool_runtime::{Toolbox, conversation::Conversation, model::ScriptedModel, testkit::{Scenario, text}};
    ///
    /// #[derive(serde::Deserialize, ToolInput)]
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
    ///     .answer("ask_user", "Blue.")
    ///     .expect(text().contains("Blue"));
    /// pollster::block_on(scenario.assert());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn answer(self, tool: &str, result: impl Into<Payload>) -> Self {
        let result = result.into();
        self.reply(tool, move || Reply::answer(result.clone()))
    }

    /// How the host answers whatever waits and has no answer of its own: for a model of which nobody knows how often it will call.
    ///
    /// ```
    /// use tool_runtime::testkit::Reply;
    /// # use tool_runtime::{Toolbox, conversation::Conversation, model::ScriptedModel, testkit::{Scenario, never}};
    /// # let toolbox = Toolbox::builder().build()?;
    /// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new().text("Done."));
    /// let scenario = Scenario::new(begin).prompt("Tidy up.").expect(never("format_disk")).host(|call| {
    ///     if call.to_text().contains("/tmp/") { Reply::approve() } else { Reply::deny("Only in /tmp.") }
    /// });
    /// pollster::block_on(scenario.assert());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn host(mut self, reply: impl Fn(&DeferredCall) -> Reply + Send + Sync + 'static) -> Self {
        self.host = Some(Arc::new(reply));
        self
    }

    fn reply(self, tool: &str, reply: impl Fn() -> Reply + Send + Sync + 'static) -> Self {
        let mut named = self.naming(tool);
        named.steps.push(Step::Reply { tool: tool.to_owned(), reply: Arc::new(reply) });
        named
    }
}
