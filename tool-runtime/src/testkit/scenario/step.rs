//! What happens in a scenario, one thing after another: [`Step`].
//!
//! In: the lines of a [`Scenario`](super::Scenario). Out: the same in their order, and what is wrong with it. What always holds: something
//! is asked before anything is answered, and time passes only before something that follows.

use std::sync::Arc;
use std::time::Duration;

use super::host::Reply;
use super::{Misuse, Scenario};

/// One thing that happens.
#[derive(Clone)]
pub(super) enum Step {
    /// The user asks.
    Prompt(String),
    /// Nothing happens for a while.
    Wait(Duration),
    /// The host answers the first call of a tool that waits.
    Reply { tool: String, reply: Arc<dyn Fn() -> Reply + Send + Sync> },
}

impl Scenario {
    /// Lets time pass, by the clock of the session: between two prompts, or before the host answers.
    ///
    /// A [`SkippingClock`] and a [`SimulatedClock`] are moved on, so that nobody waits. Any other clock is waited for, which
    /// is what a test against a real model wants. The clock of a toolbox where none is given has no timer; with it the scenario makes no sense.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tool_runtime::{Toolbox, clock::SkippingClock, conversation::Conversation, model::ScriptedModel, testkit::{Scenario, text}};
    /// let toolbox = Toolbox::builder().clock(SkippingClock::new()).build()?;
    /// let scenario = Scenario::new(move || Conversation::new(toolbox.session(), ScriptedModel::new().text("Hi.").text("Bye.")))
    ///     .prompt("Hello!")
    ///     .wait(Duration::from_secs(60))
    ///     .prompt("Good bye.");
    /// assert!(pollster::block_on(scenario.expect(text().equals("Bye.")).run()).is_ok());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    ///
    /// [`SimulatedClock`]: crate::clock::SimulatedClock
    /// [`SkippingClock`]: crate::clock::SkippingClock
    #[must_use]
    pub fn wait(mut self, time: Duration) -> Self {
        if time.is_zero() {
            self.misuses.push(Misuse::Empty("the time to wait"));
        }
        self.steps.push(Step::Wait(time));
        self
    }
}

/// What is wrong with the order of the steps.
pub(super) fn misuses(steps: &[Step]) -> Vec<Misuse> {
    let mut found = Vec::new();
    let first = steps.iter().position(|step| matches!(step, Step::Prompt(_)));
    if first.is_none() {
        found.push(Misuse::NoPrompt);
    }
    found.extend(steps[..first.unwrap_or(steps.len())].iter().filter_map(|step| match step {
        Step::Reply { tool, .. } => Some(Misuse::NothingToAnswer(tool.clone())),
        _ => None,
    }));
    if let Some(Step::Wait(_)) = steps.last() {
        found.push(Misuse::NothingBehindWait);
    }
    found
}
