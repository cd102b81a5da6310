//! Writes arguments as indented JSON of a limited length, either marked with their issues or corrected ([`Hand`]).
//!
//! If the text is too long, [`Detail`] is reduced in steps: first, long texts and parts without an issue are shortened; then, everything
//! except the issues is left out; then, the least important issues are left out. Invariant: an attempt stops as soon as it is too long, so
//! the work does not grow with the arguments; the most important issue is always included; texts are cut between characters.

mod printer;
mod remarks;

use super::comment;
use super::issue_location::{Mark, Missing, What};
use super::issue_locations::IssueLocations;
use crate::bounded;
use crate::hint::path_text;
use crate::issue::REDACTED;

/// The kind of text to write.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hand {
    /// The sent arguments, with remarks.
    Marked,
    /// The corrected arguments.
    Corrected,
    /// The corrected arguments on one line, with placeholders that are not in quotes.
    Line,
}

/// The amount of detail to show.
#[derive(Clone, Copy)]
struct Detail {
    /// The maximum number of bytes of one text or number.
    leaf: usize,
    /// The maximum number of adjacent parts without an issue.
    beside: usize,
    /// `true` if the parts without an issue are shown in full depth.
    is_deep: bool,
    /// The maximum number of issues that are shown.
    faults: usize,
}

const EVERYTHING: Detail = Detail { leaf: usize::MAX, beside: usize::MAX, is_deep: true, faults: usize::MAX };
const STEPS: [Detail; 4] = [
    EVERYTHING,
    Detail { leaf: 200, beside: 12, is_deep: false, ..EVERYTHING },
    Detail { leaf: 80, beside: 3, is_deep: false, ..EVERYTHING },
    Detail { leaf: 80, beside: 0, is_deep: false, ..EVERYTHING },
];
/// The maximum number of issues described on one line.
const REMARKS: usize = 3;
/// The maximum length of a key that is shown unchanged when detail is reduced.
const KEY: usize = 64;

/// Writes the arguments with as much detail as fits.
pub(super) fn written(spots: &IssueLocations<'_, '_>, hand: Hand, most: usize) -> String {
    for detail in STEPS {
        if let Some(text) = attempt(spots, hand, detail, most) {
            return text;
        }
    }
    // The length grows with the number of issues, so a binary search finds the greatest number that fits.
    let with = |faults| attempt(spots, hand, Detail { leaf: 60, faults, ..STEPS[3] }, most);
    let (mut fits, mut too_many, mut best) = (0, spots.faults + 1, None);
    while too_many - fits > 1 {
        let faults = usize::midpoint(fits, too_many);
        match with(faults) {
            Some(text) => (fits, best) = (faults, Some(text)),
            None => too_many = faults,
        }
    }
    best.unwrap_or_else(|| only_first(spots, hand, most))
}

/// Writes the arguments only if everything fits.
pub(super) fn whole(spots: &IssueLocations<'_, '_>, hand: Hand, most: usize) -> Option<String> {
    attempt(spots, hand, EVERYTHING, most)
}

fn attempt(spots: &IssueLocations<'_, '_>, hand: Hand, detail: Detail, most: usize) -> Option<String> {
    let mut sheet = Sheet { out: String::new(), most, full: false, is_own: false, hand, detail };
    sheet.spot(&spots.root, 0, "");
    sheet.closing(spots);
    (!sheet.full).then_some(sheet.out)
}

/// Writes only the most important issue, without the values around it. This is for an issue that is nested so deeply that the brackets alone
/// do not fit.
fn only_first(spots: &IssueLocations<'_, '_>, hand: Hand, most: usize) -> String {
    let mut spot = &spots.root;
    let mut found: Option<(&Mark<'_>, bool)> = None;
    loop {
        let own = spot.marks.iter().find(|mark| mark.rank == spot.rank);
        found = own.map(|mark| (mark, spot.hidden)).or(found);
        match spot.inside.iter().find(|(_, inner)| inner.rank == spot.rank) {
            Some((_, inner)) if own.is_none() => spot = inner,
            _ => break,
        }
    }
    let missing = spot.missing.iter().find(|missing| missing.rank == spot.rank);
    let text = match (found, missing) {
        _ if hand != Hand::Marked => "…".to_owned(),
        (Some((mark, hidden)), _) => {
            let sent = if hidden { REDACTED } else { &*mark.issue.got.preview };
            let remark = comment::issue_text(mark.issue, mark.renamed, None);
            format!("… {}: {} // ❌ {remark}", path_text(mark.issue), bounded::text(sent, 60))
        }
        (None, Some(Missing { what: What::Field(issue), .. })) => {
            format!("… {}: undefined // ❌ {}", path_text(issue), comment::issue_text(issue, None, None))
        }
        _ => "…".to_owned(),
    };
    bounded::text(&text, most).into_owned()
}

struct Sheet {
    out: String,
    most: usize,
    full: bool,
    /// `true` while a value of ours is written, not one that was sent.
    is_own: bool,
    hand: Hand,
    detail: Detail,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::check::check;
    use crate::input::ToolInput;
    use crate::json::Json;

    /// The result contains the greatest number of issues that fits.
    #[test]
    fn the_greatest_number_of_faults_that_fits_is_shown() {
        let shape = <BTreeMap<String, Vec<u8>>>::SHAPE;
        // The texts are so long that the number of bytes of each text matters.
        let member = |key: usize| format!(r#""{key}": [1, "{}"]"#, "x".repeat(62 + key));
        let members: Vec<_> = (0..12).map(member).collect();
        let text = format!("{{{}}}", members.join(","));
        let sent = Json::parse(&text).expect("the text is valid JSON");
        let issues = check(shape, &sent);
        let spots = IssueLocations::new(shape, &sent, &issues);
        let mut numbers = std::collections::BTreeSet::new();
        for hand in [Hand::Marked, Hand::Corrected, Hand::Line] {
            for most in (60..300).chain(1_300..1_500) {
                let faults = |faults| attempt(&spots, hand, Detail { leaf: 60, faults, ..STEPS[3] }, most);
                let whole = STEPS.into_iter().find_map(|detail| attempt(&spots, hand, detail, most));
                let part = (1..=spots.faults).rev().find_map(|number| Some((number, faults(number)?)));
                numbers.extend(part.as_ref().filter(|_| whole.is_none()).map(|(number, _)| *number));
                let best = whole.or(part.map(|(_, text)| text)).unwrap_or_else(|| only_first(&spots, hand, most));
                assert_eq!(written(&spots, hand, most), best, "{most} bytes");
            }
        }
        assert!(numbers.len() > 6, "{numbers:?}");
    }
}
