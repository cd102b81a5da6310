//! The bounds of a range for comparisons at compile time, and the multiples between two bounds.
//!
//! Integers are exact. When the multiples of a float are counted, a multiple is included if rounding leaves it uncertain.

use std::cmp::Ordering;

use crate::json::Number;
use crate::shape::Range;

/// One bound of a range.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub(super) value: Number,
    /// `true` if the range does not contain the value itself.
    pub(super) exclusive: bool,
}

/// The bounds of a range; `None` for an end without a bound.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    pub(super) low: Option<End>,
    pub(super) high: Option<End>,
}

impl Ends {
    pub(super) const NONE: Self = Self { low: None, high: None };

    pub(super) const fn from_range(range: &Range) -> Self {
        let low = tighter(inclusive(range.min), exclusive(range.exclusive_min), Ordering::Greater);
        let high = tighter(inclusive(range.max), exclusive(range.exclusive_max), Ordering::Less);
        Self { low, high }
    }

    /// Returns the intersection of both ranges.
    pub(super) const fn narrowed(self, other: Self) -> Self {
        Self {
            low: tighter(self.low, other.low, Ordering::Greater),
            high: tighter(self.high, other.high, Ordering::Less),
        }
    }

    /// Rounds the bounds to integers inside the range.
    pub(super) const fn whole(self) -> Self {
        Self {
            low: match self.low {
                Some(low) => Some(low.rounded(1)),
                None => None,
            },
            high: match self.high {
                Some(high) => Some(high.rounded(-1)),
                None => None,
            },
        }
    }

    /// Returns `true` if the range contains no number.
    pub(super) const fn are_empty(self) -> bool {
        match (self.low, self.high) {
            (Some(low), Some(high)) => match low.value.compare(high.value) {
                Ordering::Greater => true,
                Ordering::Equal => low.exclusive || high.exclusive,
                Ordering::Less => false,
            },
            _ => false,
        }
    }

    /// Returns `true` if the range contains an integer.
    pub(super) const fn hold(self, integer: i128) -> bool {
        let at = Some(End { value: Number::Integer(integer), exclusive: false });
        !(Self { low: self.low, high: at }).are_empty() && !(Self { low: at, high: self.high }).are_empty()
    }
}

impl End {
    /// Rounds to the nearest integer inside the range; `step` is 1 for a lower bound and -1 for an upper bound. A float from 2^53 on, which
    /// has no fraction, stays unchanged, and so does an exclusive bound at the limit of `i128`.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
    const fn rounded(self, step: i128) -> Self {
        const FRACTIONS_END: f64 = 9_007_199_254_740_992.0;
        let value = match self.value {
            Number::Float(float) if float.abs() < FRACTIONS_END => {
                let (cut, inside) = (float as i128, if step > 0 { Ordering::Less } else { Ordering::Greater });
                let integer = Number::Integer(cut);
                // Truncation rounds towards zero, so the result may be outside of the range.
                let is_outside = match integer.compare(self.value) {
                    Ordering::Equal => self.exclusive,
                    order => order as i8 == inside as i8,
                };
                if is_outside { Number::Integer(cut + step) } else { integer }
            }
            Number::Integer(integer) if self.exclusive => match integer.checked_add(step) {
                Some(next) => Number::Integer(next),
                None => return self,
            },
            _ => return self,
        };
        Self { value, exclusive: false }
    }
}

const fn inclusive(value: Option<Number>) -> Option<End> {
    match value {
        Some(value) => Some(End { value, exclusive: false }),
        None => None,
    }
}

const fn exclusive(value: Option<Number>) -> Option<End> {
    match value {
        Some(value) => Some(End { value, exclusive: true }),
        None => None,
    }
}

/// Returns the tighter bound: the greater of two lower bounds, or the smaller of two upper bounds.
const fn tighter(left: Option<End>, right: Option<End>, direction: Ordering) -> Option<End> {
    match (left, right) {
        (Some(left), Some(right)) => {
            let order = left.value.compare(right.value);
            let is_left = match order {
                Ordering::Equal => left.exclusive,
                _ => order as i8 == direction as i8,
            };
            Some(if is_left { left } else { right })
        }
        (Some(end), None) | (None, Some(end)) => Some(end),
        (None, None) => None,
    }
}

/// If no multiple of `step` lies between two integers, returns the last multiple before them and the first one after them.
pub(super) const fn nearest(
    from: i128,
    from_outside: bool,
    to: i128,
    to_outside: bool,
    step: i128,
) -> Option<(i128, i128)> {
    if step <= 0 {
        return None;
    }
    let rest = from.rem_euclid(step);
    let (Some(before), Some(behind)) = (from.checked_sub(rest), from.checked_add(step - rest)) else { return None };
    let first = if rest == 0 && !from_outside { from } else { behind };
    let is_beyond = if to_outside { first >= to } else { is_above(Number::Integer(first), Number::Integer(to)) };
    if is_beyond { Some((before, first)) } else { None }
}

/// Returns `true` if the first number is greater.
const fn is_above(left: Number, right: Number) -> bool {
    matches!(left.compare(right), Ordering::Greater)
}

/// Returns the number of multiples between two floats, inclusive; `None` if the numbers are too large to count them.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
pub(super) const fn counted(low: f64, high: f64, divisor: f64) -> Option<i64> {
    const DOUBT: f64 = 1e-9;
    const LARGEST: f64 = 1e15;
    let (from, to) = (low / divisor, high / divisor);
    if !(from.abs() < LARGEST && to.abs() < LARGEST) {
        return None;
    }
    let (from, to) = (from - DOUBT * (1.0 + from.abs()), to + DOUBT * (1.0 + to.abs()));
    let (first, last) = (up(from), -up(-to));
    Some(if first > last { 0 } else { last - first + 1 })
}

/// Rounds up to an integer.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
const fn up(number: f64) -> i64 {
    let cut = number as i64;
    if (cut as f64) < number { cut + 1 } else { cut }
}
