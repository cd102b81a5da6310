//! Merges the bounds of several rules into the tightest ones.
//!
//! A `u8` with its own range, inside a newtype with another range, has three ranges; a model only needs one.

use super::Constraint;
use crate::json::Number;
use crate::shape::{Ends, Range};

/// Narrows a range by another one, to at most one bound at each end.
pub(crate) fn tighten(tightest: &mut Range, range: &Range) {
    *tightest = Ends::of(tightest).narrowed(Ends::of(range)).to_range();
}

/// Returns the constraint that a value violates.
pub(crate) fn violation(ends: Ends, value: Number) -> Option<Constraint> {
    let (end, is_lower) = ends.violated(value)?;
    Some(match (is_lower, end.exclusive) {
        (true, false) => Constraint::Minimum(end.value),
        (true, true) => Constraint::ExclusiveMinimum(end.value),
        (false, false) => Constraint::Maximum(end.value),
        (false, true) => Constraint::ExclusiveMaximum(end.value),
    })
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
            assert_eq!(violation(Ends::of(&range), Number::Integer(value)), expected, "{value}");
        }
        let inclusive = Range { exclusive_min: number(0), min: number(1), ..Range::UNBOUNDED };
        let found = violation(Ends::of(&inclusive), Number::Integer(0));
        assert_eq!(found, Some(Constraint::Minimum(Number::Integer(1))));
    }
}
