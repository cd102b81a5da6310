//! Expectations without an order, each of which needs a different call.
//!
//! Invariants: as many expectations as possible get a call. If some calls of a function match, but too few, the function is reported once.
//! Each expectation that no call matches is reported separately.

use super::FailedExpectation;
use super::actual_call::{ActualCall, Screen};
use super::call_assignment::CallAssignment;
use super::calls::CallExpectation;
use super::failed_expectation::{first_of, nothing_fits};
use super::report_sentences;
use super::sentence_parts::{listed, times};

/// Requires a different call for each slot. Other calls are allowed.
pub(super) fn failed(slots: &[&CallExpectation], made: &[ActualCall], screen: &Screen) -> Vec<FailedExpectation> {
    let fits = fits(slots, made);
    missing(slots, &fits, &CallAssignment::of(&fits, made.len()), made, screen).0
}

/// Requires a different call for each slot, and no other calls.
pub(super) fn judge_all(slots: &[&CallExpectation], made: &[ActualCall], screen: &Screen) -> Vec<FailedExpectation> {
    let fits = fits(slots, made);
    let pairing = CallAssignment::of(&fits, made.len());
    let (mut findings, reported) = missing(slots, &fits, &pairing, made, screen);
    let left = (0..made.len()).filter(|index| !pairing.is_taken(*index) && !reported[*index]);
    let left = left.map(|index| {
        FailedExpectation::new(report_sentences::unexpected(made[index].name())).near(&made[index], &[], screen)
    });
    findings.extend(first_of(left.collect()));
    findings
}

/// Requires that each call matches a slot. A slot may match any number of calls.
pub(super) fn judge_only_calls(
    slots: &[&CallExpectation],
    made: &[ActualCall],
    screen: &Screen,
) -> Vec<FailedExpectation> {
    let mut findings = Vec::new();
    for call in made {
        if slots.iter().any(|slot| slot.fits(call)) {
            continue;
        }
        let nearest = slots.iter().filter(|slot| slot.is_of(call)).min_by_key(|slot| slot.faults(call));
        let sentence = if let Some(slot) = nearest {
            report_sentences::incorrect(call.name(), &slot.mismatches(call, screen))
        } else {
            let names = listed(&slots.iter().map(|slot| slot.name()).collect::<Vec<_>>());
            format!("Expected only these functions to be called: {names}; but '{}' was called.", call.name())
        };
        findings.push(FailedExpectation::new(sentence).near(call, &[], screen));
    }
    first_of(findings)
}

fn fits(slots: &[&CallExpectation], made: &[ActualCall]) -> Vec<Vec<usize>> {
    let fitting = |slot: &&CallExpectation| {
        let calls = made.iter().enumerate().filter(|(_, made)| slot.fits(made));
        calls.map(|(index, _)| index).collect()
    };
    slots.iter().map(fitting).collect()
}

/// Returns the findings for missing calls. The second value is `true` for each call that a finding shows as the nearest call.
fn missing(
    slots: &[&CallExpectation],
    fits: &[Vec<usize>],
    pairing: &CallAssignment<'_>,
    made: &[ActualCall],
    screen: &Screen,
) -> (Vec<FailedExpectation>, Vec<bool>) {
    let (mut findings, mut reported, mut counted) = (Vec::new(), vec![false; made.len()], Vec::new());
    for &slot in pairing.without() {
        let calls = slots[slot];
        if fits[slot].is_empty() {
            let (finding, nearest) = nothing_fits(calls, made, screen, |call| pairing.is_taken(call) || reported[call]);
            findings.push(finding);
            if let Some(call) = nearest {
                reported[call] = true;
            }
        } else if !counted.contains(&calls.name()) {
            counted.push(calls.name());
            let rivals = pairing.without().iter().copied();
            let rivals = rivals.filter(|rival| slots[*rival].name() == calls.name() && !fits[*rival].is_empty());
            let (short, few) = pairing.short(rivals.collect());
            // If one of the expectations has conditions other than the name, the sentence describes that one.
            let particular = short.iter().map(|slot| slots[*slot]).find(|calls| calls.is_particular());
            let sentence = report_sentences::count(particular.unwrap_or(calls), &times(short.len()), few.len());
            findings.push(FailedExpectation::new(sentence));
        }
    }
    (findings, reported)
}
