//! `range` and `multiple_of`: numbers of every width.
//!
//! Integers are compared exactly with every bound. An `f32` is compared with the bound rounded to `f32`: as an `f64`, the value 0.1 would
//! exceed the bound 0.1.

use std::cmp::Ordering;
use std::num::NonZero;

use super::Holder;
use crate::json::Number;
use crate::shape::Range;

/// A numeric value.
pub trait NumericValue {
    /// Compares the value with a bound; `None` if the value is absent or cannot be compared.
    fn compare(&self, bound: Number) -> Option<Ordering>;

    /// Returns `true` if the value is a multiple of the divisor, or is absent.
    fn multiple_of(&self, divisor: Number) -> bool;

    /// Returns `true` if the value is within the range.
    #[inline]
    fn within(&self, range: &Range) -> bool {
        let holds = |bound: Option<Number>, accepts: fn(Ordering) -> bool| {
            bound.and_then(|bound| self.compare(bound)).is_none_or(accepts)
        };
        holds(range.min, Ordering::is_ge)
            && holds(range.max, Ordering::is_le)
            && holds(range.exclusive_min, Ordering::is_gt)
            && holds(range.exclusive_max, Ordering::is_lt)
    }
}

/// A type to which `range` applies.
#[diagnostic::on_unimplemented(
    message = "`range` does not apply to `{Self}`",
    label = "is not a number",
    note = "`range` applies to integers and floats, also inside `Option`, `Box`, `Arc` and `Cow`; the length of a string, array or map is bounded by `length`"
)]
pub trait AcceptsRange {
    /// Calls `NumericValue::within`. A type without a range does not implement `AcceptsRange`, whose compile error is clearer than that of `NumericValue`.
    fn in_range(&self, range: &Range) -> bool;
}

#[diagnostic::do_not_recommend]
impl<T: NumericValue + ?Sized> AcceptsRange for T {
    #[inline]
    fn in_range(&self, range: &Range) -> bool {
        self.within(range)
    }
}

/// A type to which `multiple_of` applies.
#[diagnostic::on_unimplemented(
    message = "`multiple_of` does not apply to `{Self}`",
    label = "is not a number",
    note = "`multiple_of` applies to integers and floats, also inside `Option`, `Box`, `Arc` and `Cow`"
)]
pub trait AcceptsMultipleOf {
    /// Calls `NumericValue::multiple_of`. A type without multiples does not implement `AcceptsMultipleOf`, whose compile error is clearer than that of
    /// `NumericValue`.
    fn is_multiple_of(&self, divisor: Number) -> bool;
}

#[diagnostic::do_not_recommend]
impl<T: NumericValue + ?Sized> AcceptsMultipleOf for T {
    #[inline]
    fn is_multiple_of(&self, divisor: Number) -> bool {
        self.multiple_of(divisor)
    }
}

/// Converts an integer to a [`Number`]. A `u128` needs its own branch, because it may be too large for an `i128`.
macro_rules! exact {
    (u128, $value:expr) => {
        i128::try_from($value).map_or(Number::Large($value), Number::Integer)
    };
    (usize, $value:expr) => {
        Number::Integer($value as i128)
    };
    (isize, $value:expr) => {
        Number::Integer($value as i128)
    };
    ($integer:ident, $value:expr) => {
        Number::Integer(i128::from($value))
    };
}

macro_rules! integers {
    ($($integer:ident)+) => {$(
        impl NumericValue for $integer {
            #[inline]
            fn compare(&self, bound: Number) -> Option<Ordering> {
                // The usual case comes first and is inlined, so that only one comparison remains if the bound is a literal.
                Some(match (exact!($integer, *self), bound) {
                    (Number::Integer(value), Number::Integer(bound)) => value.cmp(&bound),
                    (value, bound) => value.compare(bound),
                })
            }

            #[inline]
            fn multiple_of(&self, divisor: Number) -> bool {
                exact!($integer, *self).is_multiple_of(divisor)
            }
        }

        impl NumericValue for NonZero<$integer> {
            #[inline]
            fn compare(&self, bound: Number) -> Option<Ordering> {
                self.get().compare(bound)
            }

            #[inline]
            fn multiple_of(&self, divisor: Number) -> bool {
                self.get().multiple_of(divisor)
            }
        }
    )+};
}

integers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }

impl NumericValue for f64 {
    #[inline]
    fn compare(&self, bound: Number) -> Option<Ordering> {
        match bound {
            Number::Float(bound) => self.partial_cmp(&bound),
            integer => (!self.is_nan()).then(|| Number::Float(*self).compare(integer)),
        }
    }

    fn multiple_of(&self, divisor: Number) -> bool {
        Number::Float(*self).is_multiple_of(divisor)
    }
}

impl NumericValue for f32 {
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // The bound is rounded to the value's precision on purpose.
    fn compare(&self, bound: Number) -> Option<Ordering> {
        match bound {
            Number::Float(bound) => self.partial_cmp(&(bound as Self)),
            integer => f64::from(*self).compare(integer),
        }
    }

    fn multiple_of(&self, divisor: Number) -> bool {
        // The shortest decimal text of the `f32` is the number that was sent. Converted to `f64` directly, 0.1 would become 0.10000000149.
        let shortest = self.to_string().parse().unwrap_or_else(|_| f64::from(*self));
        Number::Float(shortest).is_multiple_of(divisor)
    }
}

#[diagnostic::do_not_recommend]
impl<H: Holder<Held: NumericValue>> NumericValue for H {
    #[inline]
    fn compare(&self, bound: Number) -> Option<Ordering> {
        self.held().and_then(|value| value.compare(bound))
    }

    #[inline]
    fn multiple_of(&self, divisor: Number) -> bool {
        self.held().is_none_or(|value| value.multiple_of(divisor))
    }
}

#[cfg(test)]
mod tests {
    use crate::input::rules::NumericValue;
    use crate::json::Number;
    use std::cmp::Ordering;

    #[test]
    fn numeric() {
        assert_eq!(7_u8.compare(Number::Float(7.5)), Some(Ordering::Less));
        assert_eq!(None::<u8>.compare(Number::Integer(0)), None);
        assert!(0.3.multiple_of(Number::Float(0.1)));
    }
}
