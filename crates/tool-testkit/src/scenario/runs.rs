//! The same scenario several times: [`Runs`].
//!
//! In: how often, how many must pass, how many run at the same time. Out: what came of it. What always holds: each run has a conversation of
//! its own.

use super::reliability::Reliability;
use super::several::several;
use super::{Scenario, ScenarioError};
use crate::{Misuse, Misused, Report};

/// The same scenario several times.
///
/// ```
/// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
/// # use tool_runtime::Toolbox;
/// # use tool_testkit::{Scenario, no_calls};
/// # let toolbox = Toolbox::builder().build()?;
/// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new().text("Hi."));
/// let scenario = Scenario::new(begin).prompt("Hello!").expect(no_calls());
/// let runs = pollster::block_on(scenario.runs(10).pass_rate(0.9).at_once(4).run())?;
/// assert_eq!((runs.passed(), runs.runs()), (10, 10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Runs {
    scenario: Scenario,
    count: u32,
    rate: f64,
    at_once: usize,
}

impl Scenario {
    /// Runs it several times; see [`Runs`].
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// # use tool_testkit::{Scenario, no_calls};
    /// # let toolbox = Toolbox::builder().build()?;
    /// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new().text("Hi."));
    /// let scenario = Scenario::new(begin).prompt("Hello!").expect(no_calls());
    /// assert!(pollster::block_on(scenario.runs(10).pass_rate(0.9).run()).is_ok_and(|runs| runs.passed() == 10));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn runs(self, runs: u32) -> Runs {
        Runs::of(self, runs)
    }
}

impl Runs {
    pub(super) fn of(scenario: Scenario, runs: u32) -> Self {
        Self { scenario, count: runs, rate: 1.0, at_once: 1 }
    }

    /// How many of them must pass, from 0 to 1; all, unless said otherwise.
    ///
    /// It is the rate that was observed that must reach this, not the lower end of [`Reliability::interval`]: 9 of 10 pass a rate of 0.9,
    /// and the true rate may still be 0.6.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// # use tool_testkit::{Scenario, no_calls};
    /// # let toolbox = Toolbox::builder().build()?;
    /// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new());
    /// let runs = Scenario::new(begin).prompt("Hello!").expect(no_calls()).runs(10);
    /// assert!(runs.pass_rate(1.5).check().is_err());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn pass_rate(self, rate: f64) -> Self {
        Self { rate, ..self }
    }

    /// How many run at the same time; one after another, unless said otherwise.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// # use tool_testkit::{Scenario, no_calls};
    /// # let toolbox = Toolbox::builder().build()?;
    /// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new());
    /// let runs = Scenario::new(begin).prompt("Hello!").expect(no_calls()).runs(10);
    /// assert!(runs.at_once(0).check().is_err());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn at_once(self, runs: usize) -> Self {
        Self { at_once: runs, ..self }
    }

    /// Looks whether it all makes sense, without asking a model.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// # use tool_testkit::{Misuse, Scenario, no_calls};
    /// # let toolbox = Toolbox::builder().build()?;
    /// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new());
    /// let misused = Scenario::new(begin).prompt("Hello!").expect(no_calls()).runs(0).check();
    /// assert!(misused.is_err_and(|misused| misused.misuses() == [Misuse::NoRuns]));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Every setting and every expectation that cannot mean anything.
    pub fn check(self) -> Result<(), Misused> {
        self.with_misuses().scenario.check()
    }

    /// Holds all the conversations and judges them.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// # use tool_testkit::{Scenario, no_calls};
    /// # let toolbox = Toolbox::builder().build()?;
    /// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new().text("Hi."));
    /// let runs = pollster::block_on(Scenario::new(begin).prompt("Hello!").expect(no_calls()).runs(3).run())?;
    /// assert!(runs.failures().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What makes no sense, before any model is asked; or the failures by the number of their run, where too many failed.
    pub async fn run(self) -> Result<Reliability, ScenarioError> {
        let Self { scenario, count: runs, rate, at_once } = self.with_misuses();
        let prepared = scenario.prepare()?;
        let count = usize::try_from(runs).unwrap_or(usize::MAX);
        let reports = several(count, at_once, || {
            let run = prepared.run();
            Box::pin(async { Ok(run.await?.1) })
        });
        let reports: Result<Vec<Report>, Misused> = reports.await.into_iter().collect();
        let numbered = (1..=runs).zip(reports?);
        let failures = numbered.filter(|(_, report)| !report.is_ok()).collect();
        let reliability = Reliability { runs, rate, failures };
        if reliability.is_ok() { Ok(reliability) } else { Err(ScenarioError::Unreliable(Box::new(reliability))) }
    }

    /// Holds all the conversations and judges them.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// # use tool_testkit::{Scenario, no_calls};
    /// # let toolbox = Toolbox::builder().build()?;
    /// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new().text("Hi."));
    /// pollster::block_on(Scenario::new(begin).prompt("Hello!").expect(no_calls()).runs(3).assert());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Where [`run`](Self::run) gives an error, with its text: this is for tests.
    pub async fn assert(self) {
        if let Err(error) = self.run().await {
            panic!("{error}");
        }
    }

    /// Hands what makes no sense about the runs to the scenario, so that all of it is told together.
    fn with_misuses(mut self) -> Self {
        if self.count == 0 {
            self.scenario.misuses.push(Misuse::NoRuns);
        }
        if !(0.0..=1.0).contains(&self.rate) {
            self.scenario.misuses.push(Misuse::Rate(self.rate));
        }
        if self.at_once == 0 {
            self.scenario.misuses.push(Misuse::NoneAtOnce);
        }
        self
    }
}
