//! How the last turn is to end: [`Ending`].
//!
//! In: what a [`Scenario`] was told, and how a turn ended. Out: nothing, or the sentence that says what was expected and what came instead.
//! What always holds: where nothing is said, every turn ends with an answer.

use super::Scenario;
use crate::conversation::End;
use crate::testkit::words::listed;
use crate::testkit::{Finding, Misuse};

/// How the last turn is to end; those before it are answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Answered,
    Exhausted(String),
    Limited,
    Deferred(String),
}

impl Scenario {
    /// Expects the last turn to end because calls of this tool were refused again and again.
    ///
    /// ```
    /// # use tool_runtime::{Toolbox, conversation::Conversation, model::ScriptedModel, testkit::{Scenario, calls}};
    /// # let toolbox = Toolbox::builder().build()?;
    /// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new());
    /// let scenario = Scenario::new(begin).prompt("Hi.").expect(calls("greet").at_least(2)).exhausts("greet");
    /// assert!(scenario.check().is_ok());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn exhausts(self, tool: &str) -> Self {
        self.naming(tool).ends(Ending::Exhausted(tool.to_owned()))
    }

    /// Expects the last turn to end at a limit.
    ///
    /// ```
    /// # use tool_runtime::{Toolbox, conversation::Conversation, model::ScriptedModel, testkit::{Scenario, calls}};
    /// # let toolbox = Toolbox::builder().build()?;
    /// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new());
    /// let scenario = Scenario::new(begin).prompt("Hi.").expect(calls("greet").at_least(2)).is_limited();
    /// assert!(scenario.check().is_ok());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn is_limited(self) -> Self {
        self.ends(Ending::Limited)
    }

    /// Expects the last turn to end while a call of this tool waits for the host. Where the host is to answer it, say so:
    /// [`approve`](Self::approve), [`deny`](Self::deny), [`answer`](Self::answer), [`host`](Self::host).
    ///
    /// ```
    /// use tool_runtime::hook::{ProposedCall, Verdict};
    /// # use tool_runtime::{Toolbox, conversation::Conversation, model::ScriptedModel, testkit::Scenario, tool};
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
    /// pollster::block_on(scenario.prompt("Delete a.txt.").defers("delete").assert());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn defers(self, tool: &str) -> Self {
        self.naming(tool).ends(Ending::Deferred(tool.to_owned()))
    }

    fn ends(mut self, ending: Ending) -> Self {
        if self.ending != Ending::Answered && self.ending != ending {
            self.misuses.push(Misuse::TwoEndings);
        }
        self.ending = ending;
        self
    }

    pub(super) fn naming(mut self, tool: &str) -> Self {
        if tool.trim().is_empty() {
            self.misuses.push(Misuse::Empty("the name of a function"));
        }
        self
    }
}

impl Ending {
    /// What is wrong with the end of a turn. `waiting` are the functions that wait for the host.
    pub(super) fn fault(&self, end: &End, waiting: &[&str]) -> Option<Finding> {
        let is_met = match (self, end) {
            (Self::Answered, End::Answered { .. }) | (Self::Limited, End::Limited { .. }) => true,
            (Self::Exhausted(wanted), End::Exhausted { tool, .. }) => wanted == tool,
            (Self::Deferred(wanted), End::Deferred { .. }) => waiting.contains(&wanted.as_str()),
            _ => false,
        };
        let wanted = match self {
            Self::Answered => "Expected an answer".to_owned(),
            Self::Limited => "Expected the turn to reach a limit".to_owned(),
            Self::Exhausted(tool) => format!("Expected the turn to end because calls of '{tool}' are refused"),
            Self::Deferred(tool) => waits(tool),
        };
        (!is_met).then(|| Finding::new(format!("{wanted}, but {}.", came(end, waiting))))
    }
}

/// A call of this function is to wait.
pub(super) fn waits(tool: &str) -> String {
    format!("Expected a call of function '{tool}' to wait for the host")
}

/// How a turn ended, behind "but".
pub(super) fn came(end: &End, waiting: &[&str]) -> String {
    match end {
        End::Answered { .. } => "the model answered".to_owned(),
        End::Exhausted { tool, attempts: 1, .. } => format!("a call of '{tool}' was refused"),
        End::Exhausted { tool, attempts, .. } => format!("calls of '{tool}' were refused {attempts} times in a row"),
        End::Limited { limit } => format!("the turn took all that it may: {limit:?}"),
        End::Deferred { .. } => format!("calls wait for the host: {}", listed(waiting)),
        End::Failed { error } => format!("the model failed: {error}"),
    }
}
