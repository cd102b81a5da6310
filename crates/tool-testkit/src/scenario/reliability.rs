//! The result of several runs: [`Reliability`].
//!
//! The observed rate decides whether the runs passed; the interval shows how certain that rate is.

use std::fmt;

use tool_chat::transcript::{Totals, Transcript};

use super::wilson::ConfidenceInterval;
use crate::ExpectationReport;

/// The result of several runs.
///
/// See [`Runs`](super::Runs) for an example.
#[derive(Clone, Debug)]
pub struct Reliability {
    pub(super) runs: u32,
    pub(super) rate: f64,
    pub(super) failures: Vec<(u32, ExpectationReport)>,
    /// The transcripts of the failed runs.
    pub(super) transcripts: Vec<Transcript>,
    /// The totals of each run.
    pub(super) costs: Vec<Totals>,
}

impl Reliability {
    /// Returns the number of runs.
    pub fn run_count(&self) -> u32 {
        self.runs
    }

    /// Returns the number of runs that passed.
    pub fn passed(&self) -> u32 {
        self.runs - u32::try_from(self.failures.len()).unwrap_or(self.runs)
    }

    /// Returns the interval that contains the true pass rate with 95 % confidence.
    pub fn interval(&self) -> ConfidenceInterval {
        ConfidenceInterval::wilson(self.passed(), self.runs)
    }

    /// Returns the failed runs: the position of each, from 1, and its report.
    pub fn failed_runs(&self) -> &[(u32, ExpectationReport)] {
        &self.failures
    }

    /// Returns the transcripts of the failed runs, in the order of [`failed_runs`](Self::failed_runs). With the feature `html`,
    /// `Transcript::write_html` writes one as a page.
    pub fn failed_transcripts(&self) -> &[Transcript] {
        &self.transcripts
    }

    /// Returns the calls, the tokens and the time of each run, in order.
    pub fn run_totals(&self) -> &[Totals] {
        &self.costs
    }

    /// Returns the calls, tokens and time of all runs together.
    pub fn totals(&self) -> Totals {
        let mut total = Totals::default();
        self.costs.iter().for_each(|cost| total += *cost);
        total
    }

    pub(super) fn is_ok(&self) -> bool {
        f64::from(self.passed()) / f64::from(self.runs) >= self.rate
    }
}

impl fmt::Display for Reliability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ConfidenceInterval { low, high } = self.interval();
        let percent = |rate: f64| rate * 100.0;
        write!(
            f,
            "{} of {} runs passed ({:.1} %; with 95 % confidence the true rate is between {:.1} % and {:.1} %); {:.1} % must pass.",
            self.passed(),
            self.runs,
            percent(f64::from(self.passed()) / f64::from(self.runs)),
            percent(low),
            percent(high),
            percent(self.rate),
        )?;
        write!(f, "\nAll runs together: {}.", self.totals())?;
        for (run, report) in &self.failures {
            write!(f, "\n\nRun {run}: {report}")?;
        }
        Ok(())
    }
}
