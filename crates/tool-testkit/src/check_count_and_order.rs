//! Expectations about several calls of a function: their number, their order, and reactions to a failure.
//!
//! Invariant: a count includes every call that matches, even if other expectations use the same call.

use super::FailedExpectation;
use super::actual_call::{ActualCall, Screen};
use super::calls::{CallExpectation, Count, Relation};
use super::failed_expectation::nothing_fits;
use super::report_sentences;
use super::sentence_parts::times;

pub(super) fn failed(calls: &CallExpectation, made: &[ActualCall], screen: &Screen) -> Vec<FailedExpectation> {
    let fitting: Vec<&ActualCall> = made.iter().filter(|made| calls.fits(made)).collect();
    let mut findings: Vec<FailedExpectation> = count(calls, &fitting, made, screen).into_iter().collect();
    findings.extend(calls.relations.iter().filter_map(|relation| order(calls, relation, made, screen)));
    findings.extend(calls.reactions.iter().filter_map(|course| course.fault(calls, made)).map(FailedExpectation::new));
    findings
}

fn count(
    calls: &CallExpectation,
    fitting: &[&ActualCall],
    made: &[ActualCall],
    screen: &Screen,
) -> Option<FailedExpectation> {
    let got = fitting.len();
    let (is_right, wanted, least) = match calls.count {
        // Expectations with an order, or with a required reaction, report missing calls themselves.
        Count::OfItsOwn => return None,
        Count::Times(wanted) => (got == wanted, times(wanted), wanted),
        Count::AtLeast(wanted) => (got >= wanted, format!("at least {}", times(wanted)), wanted),
        Count::AtMost(wanted) => (got <= wanted, format!("at most {}", times(wanted)), 0),
        Count::Between(least, most) => {
            ((least..=most).contains(&got), format!("at least {} and at most {}", times(least), times(most)), least)
        }
    };
    if is_right {
        return None;
    }
    let is_of = |made: &ActualCall| calls.is_of(made);
    // Instead of the count, show the differences if the function was called with other arguments. If one call was required, show the calls
    // that were made instead. Both are more helpful than the count.
    if got == 0 && (least == 1 || made.iter().any(is_of)) {
        return Some(nothing_fits(calls, made, screen, |_| false).0);
    }
    let sentence = if calls.count == Count::Times(0) {
        report_sentences::forbidden(calls, got)
    } else {
        report_sentences::count(calls, &wanted, got)
    };
    let finding = FailedExpectation::new(sentence);
    // If there are too many calls, the last one is superfluous, so it is shown.
    Some(fitting.last().map_or(finding.clone(), |made| finding.near(made, &[], screen)))
}

/// Compares the times of the first matching calls of both expectations.
fn order(
    calls: &CallExpectation,
    relation: &Relation,
    made: &[ActualCall],
    screen: &Screen,
) -> Option<FailedExpectation> {
    let (other, word) = match relation {
        Relation::Before(other) => (other, "before"),
        Relation::After(other) => (other, "after"),
    };
    let first = |calls: &CallExpectation| made.iter().find(|made| calls.fits(made));
    let missing = |calls: &CallExpectation| Some(nothing_fits(calls, made, screen, |_| false).0);
    let Some(own) = first(calls) else { return missing(calls) };
    let Some(others) = first(other) else { return missing(other) };
    let (earlier, later) = if word == "before" { (own, others) } else { (others, own) };
    if earlier.time() < later.time() {
        return None;
    }
    let but = if std::ptr::eq(own, others) {
        "the first call of both is the same"
    } else if earlier.time() == later.time() {
        "both were called in the same step"
    } else if word == "before" {
        "it was called after it"
    } else {
        "it was called before it"
    };
    let sentence = format!("Expected function '{}' to be called {word} '{}', but {but}.", calls.name(), other.name());
    Some(FailedExpectation::new(sentence).near(own, &[], screen))
}
