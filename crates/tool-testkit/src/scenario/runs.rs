//! Repeated runs of a scenario: [`Runs`].
//!
//! Invariant: each run has a new conversation.

use tool_chat::transcript::{Totals, Transcript};

use super::concurrent::several;
use super::reliability::Reliability;
use super::{Scenario, ScenarioError};
use crate::{ExpectationReport, SetupError, SetupErrors};

/// The report and the transcript of a failed run.
type Failure = Option<(ExpectationReport, Transcript)>;

/// Repeated runs of a scenario.
///
/// ```
/// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
/// # use tool_runtime::Toolbox;
/// # use tool_testkit::{Scenario, no_calls};
/// # let toolbox = Toolbox::builder().build()?;
/// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new().text("Hi."));
/// let scenario = Scenario::new(begin).prompt("Hello!").expect(no_calls());
/// let runs = pollster::block_on(scenario.runs(10).min_pass_rate(0.9).max_concurrency(4).run())?;
/// assert_eq!((runs.passed(), runs.run_count()), (10, 10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Runs {
    scenario: Scenario,
    count: u32,
    rate: f64,
    at_once: usize,
}

impl Scenario {
    /// Runs the scenario several times; see [`Runs`].
    pub fn runs(self, runs: u32) -> Runs {
        Runs::of(self, runs)
    }
}

impl Runs {
    pub(super) fn of(scenario: Scenario, runs: u32) -> Self {
        Self { scenario, count: runs, rate: 1.0, at_once: 1 }
    }

    /// Sets the share of runs that must pass, from 0 to 1. The default is 1.
    ///
    /// The observed rate must reach this value, even if the lower bound of [`Reliability::interval`] is below it. For example, 9 of 10
    /// passed runs reach a rate of 0.9, although the true rate may be 0.6.
    #[must_use]
    pub fn min_pass_rate(self, rate: f64) -> Self {
        Self { rate, ..self }
    }

    /// Sets the number of concurrent runs. The default is 1.
    #[must_use]
    pub fn max_concurrency(self, runs: usize) -> Self {
        Self { at_once: runs, ..self }
    }

    /// Checks the scenario and the runs for mistakes without calling a model.
    ///
    /// # Errors
    ///
    /// Fails if there are mistakes in the settings or the expectations. The error lists every mistake.
    pub fn validate(self) -> Result<(), SetupErrors> {
        self.with_errors().scenario.validate()
    }

    /// Runs all conversations and checks the expectations of each.
    ///
    /// # Errors
    ///
    /// Fails before any model is called if the scenario contains mistakes. Fails after all runs, with the reports of the failed runs, if
    /// too many runs failed.
    pub async fn run(self) -> Result<Reliability, ScenarioError> {
        let Self { scenario, count: runs, rate, at_once } = self.with_errors();
        let prepared = scenario.prepare()?;
        let count = usize::try_from(runs).unwrap_or(usize::MAX);
        let reports = several(count, at_once, || {
            let run = prepared.run();
            Box::pin(async {
                let (transcript, report) = run.await?;
                let cost = transcript.totals();
                Ok((cost, (!report.is_ok()).then_some((report, transcript))))
            })
        });
        let ended: Result<Vec<(Totals, Failure)>, SetupErrors> = reports.await.into_iter().collect();
        let (costs, failed): (Vec<Totals>, Vec<_>) = ended?.into_iter().unzip();
        let failed = (1..=runs).zip(failed).filter_map(|(run, failed)| failed.map(|failed| (run, failed)));
        let (failures, transcripts) = failed.map(|(run, (report, transcript))| ((run, report), transcript)).unzip();
        let reliability = Reliability { runs, rate, failures, transcripts, costs };
        if reliability.is_ok() { Ok(reliability) } else { Err(ScenarioError::Unreliable(Box::new(reliability))) }
    }

    /// Runs all conversations and checks the expectations of each.
    ///
    /// # Panics
    ///
    /// Panics with the error of [`run`](Self::run), for use in tests.
    pub async fn assert(self) {
        if let Err(error) = self.run().await {
            panic!("{error}");
        }
    }

    /// Adds the mistakes in these settings to the mistakes in the scenario, so that all are reported together.
    fn with_errors(mut self) -> Self {
        if self.count == 0 {
            self.scenario.errors.push(SetupError::NoRuns);
        }
        if !(0.0..=1.0).contains(&self.rate) {
            self.scenario.errors.push(SetupError::Rate(self.rate));
        }
        if self.at_once == 0 {
            self.scenario.errors.push(SetupError::NoConcurrency);
        }
        self
    }
}
