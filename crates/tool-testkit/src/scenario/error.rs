//! The error of a scenario: [`ScenarioError`]. Its text is the report, and it also contains the transcript.

use std::fmt;

use tool_chat::transcript::Transcript;

use super::reliability::Reliability;
use crate::{ExpectationReport, SetupErrors};

/// The error of a scenario.
///
/// ```
/// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
/// # use tool_runtime::Toolbox;
/// # use tool_testkit::{Scenario, ScenarioError, calls};
/// # let toolbox = Toolbox::builder().build()?;
/// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new().text("Hi."));
/// let failed = pollster::block_on(Scenario::new(begin).prompt("Hello!").expect(calls("greet")).run());
/// let Err(ScenarioError::Failed(failed)) = failed else { return Err("it must fail".into()) };
/// assert_eq!(failed.expectation_report().failed_expectations().len(), 1);
/// assert_eq!(failed.transcript().last_text(), "Hi.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// The scenario contains mistakes, so no model was called.
    #[error("{0}")]
    Setup(#[from] SetupErrors),
    /// An expectation failed.
    #[error("{0}")]
    Failed(Box<Failed>),
    /// The scenario was run several times, and too many runs failed.
    #[error("{0}")]
    Unreliable(Box<Reliability>),
}

impl From<Failed> for ScenarioError {
    fn from(failed: Failed) -> Self {
        Self::Failed(Box::new(failed))
    }
}

/// A conversation that did not meet the expectations.
#[derive(Clone, Debug)]
pub struct Failed {
    report: ExpectationReport,
    transcript: Transcript,
}

impl Failed {
    pub(super) fn new(report: ExpectationReport, transcript: Transcript) -> Self {
        Self { report, transcript }
    }

    /// Returns the failed expectations.
    pub fn expectation_report(&self) -> &ExpectationReport {
        &self.report
    }

    /// Returns the whole conversation.
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.report.fmt(f)
    }
}
