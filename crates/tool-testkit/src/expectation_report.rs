//! All failed expectations of one conversation: [`ExpectationReport`].
//!
//! Invariants: equal conversations give equal texts. Values of sensitive fields are redacted. Of a long list of calls, only the first calls
//! and a count of the rest are shown.

use std::fmt;

use tool_runtime::failure::ThrottleRule;

use super::FailedExpectation;
use super::actual_call::{ActualCall, Screen};
use super::call_requirement::throttled_by;
use super::conversation_data::Evidence;

/// The maximum number of calls that a report shows.
const CALLS: usize = 20;

/// Advice for the author of a script, who may forget that a real model takes time.
const HURRIED: &str = "\n\nA call was rejected because too many calls came at once, by the clock of the session. A scripted model answers at once \
                       unless it has a pace: see `ScriptedModel::default_delay`.";

/// The failed expectations of one conversation.
///
/// The text of a report lists these expectations, and the calls that were made:
///
/// ```
/// use tool_chat::transcript::Transcript;
/// use tool_runtime::Toolbox;
/// use tool_testkit::{Expectations, calls, last_answer};
///
/// let session = Toolbox::builder().build()?.session();
/// let expected = Expectations::new().expect(calls("get_weather")).expect(last_answer().contains("sun")).build()?;
/// let report = expected.check(&Transcript::new(), &session);
/// assert_eq!((report.is_ok(), report.failed_expectations().len()), (false, 2));
/// assert!(report.to_string().starts_with("2 differences from 2 expectations"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectationReport {
    findings: Vec<FailedExpectation>,
    /// The number of expectations, including those that were met.
    expected: usize,
    calls: Vec<String>,
    omitted: usize,
    /// `true` if a call was rejected because of a rate limit.
    is_hurried: bool,
}

impl ExpectationReport {
    pub(super) fn new(findings: Vec<FailedExpectation>, expected: usize, evidence: &Evidence, screen: &Screen) -> Self {
        // The calls are only shown if an expectation failed.
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
        let is_rejected = |made: &ActualCall| throttled_by(made).is_some_and(|rule| rates.contains(&rule.as_str()));
        let is_hurried = !findings.is_empty() && evidence.made.iter().any(is_rejected);
        Self { findings, expected, omitted: evidence.made.len() - calls.len(), calls, is_hurried }
    }

    /// Returns `true` if every expectation was met.
    pub fn is_ok(&self) -> bool {
        self.findings.is_empty()
    }

    /// Returns the failed expectations, in order.
    pub fn failed_expectations(&self) -> &[FailedExpectation] {
        &self.findings
    }
}

fn expectations(count: usize) -> String {
    if count == 1 { "1 expectation".to_owned() } else { format!("{count} expectations") }
}

impl fmt::Display for ExpectationReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.findings.is_empty() {
            return write!(f, "Everything was as expected ({}).", expectations(self.expected));
        }
        let faults = if self.findings.len() == 1 {
            "1 difference".to_owned()
        } else {
            format!("{} differences", self.findings.len())
        };
        write!(f, "{faults} from {}", expectations(self.expected))?;
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
