//! Merges the bounds of several rules into the tightest ones.
//!
//! A `u8` with its own range, inside a newtype with another range, has three ranges; a model only needs one.

use std::cmp::Ordering;

use super::Constraint;
use crate::json::Number;
use crate::shape::Range;

/// Narrows a range by another one, to at most one bound at each end.
pub(crate) fn tighten(tightest: &mut Range, range: &Range) {
    let is_open =
        |range: &Range| [range.min, range.max, range.exclusive_min, range.exclusive_max].iter().all(Option::is_none);
    if is_open(range) {
        return;
    }
    if is_open(tightest) && !has_two_at_one_end(range) {
        *tightest = *range;
        return;
    }
    let ((low, high), (other_low, other_high)) = (ends(tightest), ends(range));
    if let Some((bound, is_exclusive)) = tighter(low, other_low, Ordering::Greater) {
        (tightest.min, tightest.exclusive_min) = side(bound, is_exclusive);
    }
    if let Some((bound, is_exclusive)) = tighter(high, other_high, Ordering::Less) {
        (tightest.max, tightest.exclusive_max) = side(bound, is_exclusive);
    }
}

/// The constructor of the violated constraint, paired with its bound. The constraint itself is only made for an issue.
pub(crate) type Violation = (fn(Number) -> Constraint, Number);

/// Returns the bound that a value violates. If both an inclusive and an exclusive bound are at the same end, the
/// tighter one is used.
pub(crate) fn violation(range: &Range, value: Number) -> Option<Violation> {
    let found = broken(range, value)?;
    if has_two_at_one_end(range) {
        let mut tightest = Range::UNBOUNDED;
        tighten(&mut tightest, range);
        return broken(&tightest, value);
    }
    Some(found)
}

const fn has_two_at_one_end(range: &Range) -> bool {
    range.min.is_some() && range.exclusive_min.is_some() || range.max.is_some() && range.exclusive_max.is_some()
}

fn broken(range: &Range, value: Number) -> Option<Violation> {
    if let Some(bound) = range.min.filter(|&bound| value.compare(bound).is_lt()) {
        return Some((Constraint::Minimum, bound));
    }
    if let Some(bound) = range.max.filter(|&bound| value.compare(bound).is_gt()) {
        return Some((Constraint::Maximum, bound));
    }
    if let Some(bound) = range.exclusive_min.filter(|&bound| value.compare(bound).is_le()) {
        return Some((Constraint::ExclusiveMinimum, bound));
    }
    let bound = range.exclusive_max.filter(|&bound| value.compare(bound).is_ge())?;
    Some((Constraint::ExclusiveMaximum, bound))
}

/// A bound, and `true` if it is exclusive.
type End = Option<(Number, bool)>;

/// Returns the tighter bound at each end of a range.
fn ends(range: &Range) -> (End, End) {
    let end = |inclusive: Option<Number>, exclusive: Option<Number>, tighter_is| {
        tighter(inclusive.map(|bound| (bound, false)), exclusive.map(|bound| (bound, true)), tighter_is)
    };
    (end(range.min, range.exclusive_min, Ordering::Greater), end(range.max, range.exclusive_max, Ordering::Less))
}

fn tighter(one: End, other: End, tighter_is: Ordering) -> End {
    match (one, other) {
        (Some((bound, _)), Some((other_bound, is_exclusive))) => match other_bound.compare(bound) {
            Ordering::Equal if is_exclusive => other,
            order if order == tighter_is => other,
            _ => one,
        },
        _ => one.or(other),
    }
}

fn side(bound: Number, is_exclusive: bool) -> (Option<Number>, Option<Number>) {
    if is_exclusive { (None, Some(bound)) } else { (Some(bound), None) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tighter_of_two_bounds_is_reported() {
        let number = |value| Some(Number::Integer(value));
        let range = Range { min: number(0), exclusive_min: number(5), max: number(9), exclusive_max: number(9) };
        for (value, expected) in [
            (-1, Some(Constraint::ExclusiveMinimum(Number::Integer(5)))),
            (5, Some(Constraint::ExclusiveMinimum(Number::Integer(5)))),
            (6, None),
            (10, Some(Constraint::ExclusiveMaximum(Number::Integer(9)))),
        ] {
            let found = violation(&range, Number::Integer(value)).map(|(constraint, bound)| constraint(bound));
            assert_eq!(found, expected, "{value}");
        }
        let inclusive = Range { exclusive_min: number(0), min: number(1), ..Range::UNBOUNDED };
        let found = violation(&inclusive, Number::Integer(0)).map(|(constraint, bound)| constraint(bound));
        assert_eq!(found, Some(Constraint::Minimum(Number::Integer(1))));
    }
}
