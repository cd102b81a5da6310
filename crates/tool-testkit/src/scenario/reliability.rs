//! What came of several runs: [`Reliability`].
//!
//! In: the report of each run. Out: the rate with its interval, and every failure under the number of its run. What always holds: what must
//! pass is the rate that was observed, and the interval says how much that means.

use std::fmt;

use super::wilson::Interval;
use crate::Report;

/// What came of several runs.
///
/// ```
/// use tool_testkit::Reliability;
///
/// fn is_perfect(reliability: &Reliability) -> bool {
///     reliability.passed() == reliability.runs()
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Reliability {
    pub(super) runs: u32,
    pub(super) rate: f64,
    pub(super) failures: Vec<(u32, Report)>,
}

impl Reliability {
    /// How many runs there were.
    ///
    /// ```
    /// # use tool_testkit::Reliability;
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
    /// # use tool_testkit::Reliability;
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
    /// # use tool_testkit::Reliability;
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
    /// # use tool_testkit::Reliability;
    /// fn first(reliability: &Reliability) -> Option<u32> {
    ///     reliability.failures().first().map(|(run, _)| *run)
    /// }
    /// ```
    pub fn failures(&self) -> &[(u32, Report)] {
        &self.failures
    }

    pub(super) fn is_ok(&self) -> bool {
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
