//! The same scenario several times: [`Runs`], and what came of it: [`Reliability`].
//!
//! In: how often, how many must pass, how many run at the same time. Out: the rate with its interval, and every failure under the number of
//! its run. What always holds: each run has a conversation of its own; what must pass is the rate that was observed, and the interval says
//! how much that means.

use std::fmt;

use super::several::several;
use super::wilson::Interval;
use super::{Report, Scenario, ScenarioError};
use crate::testkit::{Misuse, Misused};

/// The same scenario several times.
///
/// ```
/// # use tool_runtime::{Toolbox, conversation::Conversation, model::ScriptedModel, testkit::{Scenario, no_calls}};
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

/// What came of several runs.
///
/// ```
/// use tool_runtime::testkit::Reliability;
///
/// fn is_perfect(reliability: &Reliability) -> bool {
///     reliability.passed() == reliability.runs()
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Reliability {
    runs: u32,
    rate: f64,
    failures: Vec<(u32, Report)>,
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
    /// # use tool_runtime::{Toolbox, conversation::Conversation, model::ScriptedModel, testkit::{Scenario, no_calls}};
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
    /// # use tool_runtime::{Toolbox, conversation::Conversation, model::ScriptedModel, testkit::{Scenario, no_calls}};
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
    /// # use tool_runtime::{Toolbox, conversation::Conversation, model::ScriptedModel, testkit::{Misuse, Scenario, no_calls}};
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
    /// # use tool_runtime::{Toolbox, conversation::Conversation, model::ScriptedModel, testkit::{Scenario, no_calls}};
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
    /// # use tool_runtime::{Toolbox, conversation::Conversation, model::ScriptedModel, testkit::{Scenario, no_calls}};
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

impl Reliability {
    /// How many runs there were.
    ///
    /// ```
    /// # use tool_runtime::testkit::Reliability;
    /// fn failed(reliability: &Reliability) -> u32 {
    ///     reliability.runs() - reliability.passed()
    /// }
    /// ```
    pub fn runs(&self) -> u32 {
        self.runs
    }

    /// How many of them passed.
    ///
    /// ```
    /// # use tool_runtime::testkit::Reliability;
    /// fn failed(reliability: &Reliability) -> u32 {
    ///     reliability.runs() - reliability.passed()
    /// }
    /// ```
    pub fn passed(&self) -> u32 {
        self.runs - u32::try_from(self.failures.len()).unwrap_or(self.runs)
    }

    /// Where the true rate lies, with 95 % confidence.
    ///
    /// ```
    /// # use tool_runtime::testkit::Reliability;
    /// fn is_surely_good(reliability: &Reliability) -> bool {
    ///     reliability.interval().low > 0.9
    /// }
    /// ```
    pub fn interval(&self) -> Interval {
        Interval::wilson(self.passed(), self.runs)
    }

    /// What failed, by the number of the run, from 1.
    ///
    /// ```
    /// # use tool_runtime::testkit::Reliability;
    /// fn first(reliability: &Reliability) -> Option<u32> {
    ///     reliability.failures().first().map(|(run, _)| *run)
    /// }
    /// ```
    pub fn failures(&self) -> &[(u32, Report)] {
        &self.failures
    }

    fn is_ok(&self) -> bool {
        f64::from(self.passed()) / f64::from(self.runs) >= self.rate
    }
}

impl fmt::Display for Reliability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Interval { low, high } = self.interval();
        let percent = |rate: f64| rate * 100.0;
        write!(
            f,
            "{} of {} runs passed ({:.1} %; with 95 % confidence the true rate lies between {:.1} % and {:.1} %); {:.1} % must pass.",
            self.passed(),
            self.runs,
            percent(f64::from(self.passed()) / f64::from(self.runs)),
            percent(low),
            percent(high),
            percent(self.rate),
        )?;
        for (run, report) in &self.failures {
            write!(f, "\n\nRun {run}: {report}")?;
        }
        Ok(())
    }
}
