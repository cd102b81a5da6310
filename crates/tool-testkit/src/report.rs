//! All failed expectations of one conversation together: [`Report`].
//!
//! In: findings, and the calls that were made. Out: a text for people. What always holds: it is the same for the same conversation; values
//! of sensitive fields are redacted; of many calls the first are shown, and how many there are besides.

use std::fmt;

use tool_runtime::failure::ThrottleRule;

use super::Finding;
use super::condition::throttled_by;
use super::evidence::Evidence;
use super::made::{Made, Screen};

/// How many calls are shown.
const CALLS: usize = 20;

/// Who writes a script does not think of the time that a model takes.
const HURRIED: &str = "\n\nA call was refused because too many came at once, by the clock of the session. A scripted model answers in no time \
                       unless it has a pace: see `ScriptedModel::pace`.";

/// What failed of what was expected of one conversation.
///
/// ```
/// use tool_testkit::Report;
///
/// fn ok(report: &Report) -> bool {
///     report.findings().is_empty() == report.is_ok()
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    findings: Vec<Finding>,
    /// How many expectations there were.
    expected: usize,
    calls: Vec<String>,
    omitted: usize,
    /// Whether a call was refused because too many came at once.
    is_hurried: bool,
}

impl Report {
    pub(super) fn new(findings: Vec<Finding>, expected: usize, evidence: &Evidence, screen: &Screen) -> Self {
        // Nobody reads the calls where nothing failed.
        let shown = if findings.is_empty() { 0 } else { CALLS };
        let calls: Vec<String> = evidence
            .made
            .iter()
            .take(shown)
            .map(|made| {
                let end = match (made.has_failed(), made.outcome.is_ok()) {
                    (true, _) => "failed",
                    (false, true) => "ok",
                    (false, false) => "waits",
                };
                screen.hide(format!("{}: {}({}) {end}", made.place(), made.name(), screen.arguments(made)))
            })
            .collect();
        let rates = [ThrottleRule::OverallRate, ThrottleRule::SameToolRate].map(ThrottleRule::as_str);
        let is_refused = |made: &Made| throttled_by(made).is_some_and(|rule| rates.contains(&rule.as_str()));
        let is_hurried = !findings.is_empty() && evidence.made.iter().any(is_refused);
        Self { findings, expected, omitted: evidence.made.len() - calls.len(), calls, is_hurried }
    }

    /// Whether everything was as expected.
    ///
    /// ```
    /// # use tool_testkit::Report;
    /// fn judge(report: Report) -> Result<(), String> {
    ///     if report.is_ok() { Ok(()) } else { Err(report.to_string()) }
    /// }
    /// ```
    pub fn is_ok(&self) -> bool {
        self.findings.is_empty()
    }

    /// What failed, in the order in which it was expected.
    ///
    /// ```
    /// # use tool_testkit::{Finding, Report};
    /// fn sentences(report: &Report) -> Vec<&str> {
    ///     report.findings().iter().map(Finding::sentence).collect()
    /// }
    /// ```
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

fn expectations(count: usize) -> String {
    if count == 1 { "1 expectation".to_owned() } else { format!("{count} expectations") }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.findings.is_empty() {
            return write!(f, "Everything was as expected ({}).", expectations(self.expected));
        }
        let faults =
            if self.findings.len() == 1 { "1 fault".to_owned() } else { format!("{} faults", self.findings.len()) };
        write!(f, "{faults} against {}", expectations(self.expected))?;
        for (index, finding) in self.findings.iter().enumerate() {
            write!(f, "\n\n{}. {finding}", index + 1)?;
        }
        if self.calls.is_empty() {
            return f.write_str("\n\nNo function calls were made.");
        }
        f.write_str("\n\nCalls that were made:")?;
        for call in &self.calls {
            write!(f, "\n  {call}")?;
        }
        if self.omitted > 0 {
            write!(f, "\n  … and {} more", self.omitted)?;
        }
        if self.is_hurried { f.write_str(HURRIED) } else { Ok(()) }
    }
}
