//! Expectations with an order.
//!
//! Invariant: each expectation takes the earliest call that matches, which leaves the most calls for later expectations. So if a call is
//! reported as missing, it is missing in every assignment.

use super::FailedExpectation;
use super::actual_call::{ActualCall, Screen};
use super::calls::CallExpectation;
use super::failed_expectation::nothing_fits;
use super::report_sentences;
use super::sentence_parts::times;

/// Requires these calls in this order. Other calls may come before, between and after them.
pub(super) fn failed(slots: &[&CallExpectation], made: &[ActualCall], screen: &Screen) -> Option<FailedExpectation> {
    let mut taken: Vec<usize> = Vec::new();
    for (position, slot) in slots.iter().enumerate() {
        let next = taken.last().map_or(0, |last| last + 1);
        match (next..made.len()).find(|index| slot.fits(&made[*index])) {
            Some(index) => taken.push(index),
            None => return Some(missing(slots, position, &taken, made, screen)),
        }
    }
    None
}

/// Explains why no call after the taken calls matches the slot at a position.
fn missing(
    slots: &[&CallExpectation],
    position: usize,
    taken: &[usize],
    made: &[ActualCall],
    screen: &Screen,
) -> FailedExpectation {
    let slot = slots[position];
    let fitting: Vec<usize> = (0..made.len()).filter(|index| slot.fits(&made[*index])).collect();
    if fitting.is_empty() {
        return nothing_fits(slot, made, screen, |index| taken.contains(&index)).0;
    }
    let early = fitting.iter().find(|index| !taken.contains(index));
    match (early, slots[..position].last()) {
        (Some(&early), Some(before)) => {
            let (name, before) = (slot.name(), before.name());
            let sentence =
                format!("Expected function '{name}' to be called after '{before}', but it was called before.");
            FailedExpectation::new(sentence).near(&made[early], &[], screen)
        }
        _ => FailedExpectation::new(report_sentences::count(slot, &times(fitting.len() + 1), fitting.len())),
    }
}

/// Requires that these are the first calls.
pub(super) fn judge_from_the_start(
    slots: &[&CallExpectation],
    made: &[ActualCall],
    screen: &Screen,
) -> Option<FailedExpectation> {
    slots.iter().enumerate().find_map(|(position, slot)| {
        let (name, number) = (slot.name(), position + 1);
        let Some(call) = made.get(position) else {
            let most = if position == 1 {
                "1 function call was".to_owned()
            } else {
                format!("{position} function calls were")
            };
            return Some(FailedExpectation::new(if position == 0 {
                report_sentences::not_called(name, made)
            } else {
                format!("Expected function '{name}' to be called as call {number}, but only {most} made.")
            }));
        };
        if !slot.is_of(call) {
            let sentence =
                format!("Expected call {number} to be of function '{name}', but it was of '{}'.", call.name());
            return Some(FailedExpectation::new(sentence).near(call, &[], screen));
        }
        let mismatches = slot.mismatches(call, screen);
        let finding =
            || FailedExpectation::new(report_sentences::incorrect(name, &mismatches)).near(call, &mismatches, screen);
        (!mismatches.is_empty()).then(finding)
    })
}
