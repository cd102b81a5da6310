//! A failed expectation with the nearest call: [`FailedExpectation`].
//!
//! Invariant: the nearest call is, among the calls that no other expectation uses, the earliest call with the fewest mismatches. A call of
//! another function is only considered if the names are similar.

use std::fmt;

use crate::private::suggest;

use super::actual_call::{ActualCall, Screen};
use super::call_requirement::Mismatch;
use super::calls::CallExpectation;
use super::report_sentences;

/// The maximum number of findings about calls that one expectation reports.
const SHOWN: usize = 20;

/// A failed expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedExpectation {
    sentence: String,
    nearest: Option<Nearest>,
}

/// The call that is nearest to the expected call.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Nearest {
    /// The call in one line: `turn 1, step 2: get_weather({"location":"Paris"})`.
    call: String,
    /// The differing parameters, each with path, expected value and actual value.
    differences: Vec<[String; 3]>,
}

impl FailedExpectation {
    pub(super) fn new(sentence: String) -> Self {
        Self { sentence, nearest: None }
    }

    /// Replaces the values of sensitive fields in all texts.
    pub(super) fn screened(mut self, screen: &Screen) -> Self {
        self.sentence = screen.hide(self.sentence);
        if let Some(nearest) = &mut self.nearest {
            nearest.call = screen.hide(std::mem::take(&mut nearest.call));
            for text in nearest.differences.iter_mut().flatten() {
                *text = screen.hide(std::mem::take(text));
            }
        }
        self
    }

    /// Puts a text before the sentence.
    pub(super) fn after(mut self, text: &str) -> Self {
        self.sentence.insert_str(0, text);
        self
    }

    /// Adds a call that was made, with its mismatches.
    pub(super) fn near(mut self, made: &ActualCall, mismatches: &[Mismatch], screen: &Screen) -> Self {
        let call = format!("{}: {}({})", made.place(), made.name(), screen.arguments(made));
        let differences = mismatches.iter().filter_map(|mismatch| match mismatch {
            Mismatch::Parameter { path, wanted, got } => {
                let wanted = wanted.strip_prefix("to be ").unwrap_or(wanted).to_owned();
                Some([path.to_string(), wanted, got.clone().unwrap_or_else(|| "absent".to_owned())])
            }
            Mismatch::Other(_) => None,
        });
        self.nearest = Some(Nearest { call, differences: differences.collect() });
        self
    }

    /// Returns a sentence with the expected and the actual behaviour.
    pub fn message(&self) -> &str {
        &self.sentence
    }
}

impl fmt::Display for FailedExpectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)?;
        let Some(nearest) = &self.nearest else { return Ok(()) };
        write!(f, "\n   nearest call: {}", nearest.call)?;
        for [path, wanted, got] in &nearest.differences {
            write!(f, "\n     {path}\n       - {wanted}\n       + {got}")?;
        }
        Ok(())
    }
}

/// Keeps the first [`SHOWN`] findings about the calls of one expectation, and adds a count of the rest.
pub(super) fn first_of(mut findings: Vec<FailedExpectation>) -> Vec<FailedExpectation> {
    let more = findings.len().saturating_sub(SHOWN);
    if more > 0 {
        findings.truncate(SHOWN);
        findings.push(FailedExpectation::new(format!("And {more} more calls are not as expected.")));
    }
    findings
}

/// Returns the finding for an expectation that no call matches, because the function was not called or was called differently. `taken`
/// returns `true` for calls that other expectations use. The second value is the index of the nearest call, if it is a call of the expected
/// function.
pub(super) fn nothing_fits(
    calls: &CallExpectation,
    made: &[ActualCall],
    screen: &Screen,
    taken: impl Fn(usize) -> bool,
) -> (FailedExpectation, Option<usize>) {
    let of_function = made.iter().enumerate().filter(|(_, made)| calls.is_of(made));
    if let Some((index, nearest)) = of_function.min_by_key(|(index, made)| (taken(*index), calls.faults(made))) {
        let mismatches = calls.mismatches(nearest, screen);
        let sentence = report_sentences::incorrect(calls.name(), &mismatches);
        return (FailedExpectation::new(sentence).near(nearest, &mismatches, screen), Some(index));
    }
    let finding = FailedExpectation::new(report_sentences::not_called(calls.name(), made));
    let alike = suggest::nearest(calls.name(), made.iter().map(ActualCall::name));
    let alike = alike.and_then(|name| made.iter().find(|made| made.name() == name));
    (alike.map_or(finding.clone(), |made| finding.near(made, &[], screen)), None)
}
