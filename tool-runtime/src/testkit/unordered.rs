//! Expectations without an order, each with a call of its own.
//!
//! In: what each of them wants, and the calls that were made. Out: what is missing, and what is too much. What always holds: as many
//! expectations as possible have a call; each function that lacks calls is reported once for those that fit, and each expectation that
//! nothing fits by itself.

use super::Finding;
use super::calls::Calls;
use super::finding::nothing_fits;
use super::made::{Made, Screen};
use super::pairing::Pairing;
use super::words;

/// Each slot has a call of its own; others may be made.
pub(super) fn judge(slots: &[&Calls], made: &[Made], screen: &Screen) -> Vec<Finding> {
    let fits = fits(slots, made, screen);
    missing(slots, &fits, &Pairing::of(&fits, made.len()), made, screen).0
}

/// Each slot has a call of its own, and no call is left.
pub(super) fn judge_all(slots: &[&Calls], made: &[Made], screen: &Screen) -> Vec<Finding> {
    let fits = fits(slots, made, screen);
    let pairing = Pairing::of(&fits, made.len());
    let (mut findings, told) = missing(slots, &fits, &pairing, made, screen);
    let left = (0..made.len()).filter(|index| !pairing.is_taken(*index) && !told.contains(index));
    findings.extend(left.map(|index| {
        let sentence = format!("Function '{}' was called, but no such call was expected.", made[index].name());
        Finding::new(sentence).near(&made[index], &[], screen)
    }));
    findings
}

/// Each call fits a slot; slots may have any number of calls.
pub(super) fn judge_subset(slots: &[&Calls], made: &[Made], screen: &Screen) -> Vec<Finding> {
    let mut findings = Vec::new();
    for call in made {
        let nearest = slots.iter().filter(|slot| slot.is_of(call)).map(|slot| slot.mismatches(call, screen));
        let sentence = match nearest.min_by_key(Vec::len) {
            Some(mismatches) if mismatches.is_empty() => continue,
            Some(mismatches) => words::incorrect(call.name(), &mismatches),
            None => {
                let names: Vec<String> = slots.iter().map(|slot| format!("'{}'", slot.name())).collect();
                let names = names.join(", ");
                format!("Expected only these functions to be called: {names}; but '{}' was called.", call.name())
            }
        };
        findings.push(Finding::new(sentence).near(call, &[], screen));
    }
    findings
}

fn fits(slots: &[&Calls], made: &[Made], screen: &Screen) -> Vec<Vec<usize>> {
    let fitting = |slot: &&Calls| {
        let calls = made.iter().enumerate().filter(|(_, made)| slot.fits(made, screen));
        calls.map(|(index, _)| index).collect()
    };
    slots.iter().map(fitting).collect()
}

/// What is missing, and the calls that were told as the nearest.
fn missing(
    slots: &[&Calls],
    fits: &[Vec<usize>],
    pairing: &Pairing<'_>,
    made: &[Made],
    screen: &Screen,
) -> (Vec<Finding>, Vec<usize>) {
    let (mut findings, mut told, mut counted) = (Vec::new(), Vec::new(), Vec::new());
    for &slot in pairing.without() {
        let calls = slots[slot];
        if fits[slot].is_empty() {
            let (finding, nearest) =
                nothing_fits(calls, made, screen, |call| pairing.is_taken(call) || told.contains(&call));
            findings.push(finding);
            told.extend(nearest);
        } else if !counted.contains(&calls.name()) {
            counted.push(calls.name());
            let rivals = pairing.without().iter().copied();
            let rivals = rivals.filter(|rival| slots[*rival].name() == calls.name() && !fits[*rival].is_empty());
            let (short, few) = pairing.short(rivals.collect());
            // The one that says most about its call speaks for all of them.
            let particular = short.iter().map(|slot| slots[*slot]).find(|calls| calls.is_particular());
            let sentence = words::count(particular.unwrap_or(calls), &words::times(short.len()), few.len());
            findings.push(Finding::new(sentence));
        }
    }
    (findings, told)
}
