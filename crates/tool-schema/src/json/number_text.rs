//! The text of a number in a document, and its value.
//!
//! An integer of at most 128 bits has its exact value in every spelling. Every other number is the `f64` that `serde_json` parses from the
//! same text, so that a bound has the same effect on the text as on a typed value. Large exponents take no additional time.

use std::cmp::Ordering;

use super::Number;
use super::decimal_parts::{Decimal, NotInteger};

/// The text of a number in a JSON document.
///
/// For any other text, the results are arbitrary, but no method panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberText<'a>(pub &'a str);

impl NumberText<'_> {
    /// Returns `true` if the mathematical value is an integer, in any spelling and of any size.
    pub fn is_integral(self) -> bool {
        self.has_digits_alone() || Decimal::new(self.0).is_integral()
    }

    /// Returns `true` for the spelling that `serde` requires for integers: no dot, no exponent, no `-0`.
    pub fn is_plain_integer(self) -> bool {
        self.0 != "-0" && self.has_digits_alone()
    }

    /// Returns `true` if the text has neither a dot nor an exponent.
    fn has_digits_alone(self) -> bool {
        !self.0.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E'))
    }

    /// Returns `true` for zero with a minus sign, in any spelling.
    pub fn is_negative_zero(self) -> bool {
        self.0.starts_with('-') && Decimal::new(self.0).is_zero()
    }

    /// Returns the exact value of an integer that fits an `i128`.
    pub fn to_i128(self) -> Result<i128, NotInteger> {
        let decimal = Decimal::new(self.0);
        let magnitude = decimal.magnitude()?;
        let value =
            if decimal.negative { 0_i128.checked_sub_unsigned(magnitude) } else { i128::try_from(magnitude).ok() };
        value.ok_or(NotInteger::OutOfRange)
    }

    /// Returns the exact value of a non-negative integer that fits a `u128`.
    pub fn to_u128(self) -> Result<u128, NotInteger> {
        let decimal = Decimal::new(self.0);
        let magnitude = decimal.magnitude()?;
        if decimal.negative { Err(NotInteger::OutOfRange) } else { Ok(magnitude) }
    }

    /// Returns the `f64` that `serde_json` parses from this text, or infinity if the number is too large.
    pub fn to_f64(self) -> f64 {
        let infinity = if self.0.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY };
        serde_json::from_str(self.0).unwrap_or(infinity)
    }

    /// Returns the value: exact for an integer of at most 128 bits, or else the nearest float.
    pub fn value(self) -> Number {
        // The usual spelling is tried first, because splitting a number costs more than most checks of a number.
        if let Ok(integer) = self.0.parse::<i64>() {
            return Number::Integer(integer.into());
        }
        if self.0.contains('.') && !self.0.ends_with('0') && !self.0.contains(['e', 'E']) {
            return Number::Float(self.to_f64());
        }
        let integer = match self.to_i128() {
            Err(NotInteger::OutOfRange) => self.to_u128().map(Number::Large),
            exact => exact.map(Number::Integer),
        };
        integer.unwrap_or_else(|_| Number::Float(self.to_f64()))
    }

    /// Returns `true` if another text is mathematically the same number.
    pub fn same_value(self, other: NumberText<'_>) -> bool {
        Decimal::new(self.0) == Decimal::new(other.0)
    }

    /// Compares the value with a bound.
    pub fn compare(self, bound: Number) -> Ordering {
        self.value().compare(bound)
    }

    /// Returns `true` if the value is a multiple of a divisor, as defined by [`Number::is_multiple_of`].
    pub fn is_multiple_of(self, divisor: Number) -> bool {
        self.value().is_multiple_of(divisor)
    }
}

#[cfg(test)]
mod tests {
    use crate::json::{Number, NumberText};
    use std::cmp::Ordering;

    #[test]
    fn number_text() {
        assert_eq!(NumberText("5.0").to_i128(), Ok(5));
        assert_eq!(NumberText("18446744073709551616").compare(Number::Integer(1 << 64)), Ordering::Equal);
        assert!(NumberText("0.3").is_multiple_of(Number::Float(0.1)));
    }

    #[test]
    fn is_integral() {
        assert!(NumberText("1.5e1").is_integral() && NumberText("-0.0").is_integral());
        assert!(!NumberText("1e-1").is_integral());
    }

    #[test]
    fn is_plain_integer() {
        assert!(NumberText("-5").is_plain_integer());
        assert!(!NumberText("5.0").is_plain_integer() && !NumberText("-0").is_plain_integer());
    }

    #[test]
    fn is_negative_zero() {
        assert!(NumberText("-0.0e7").is_negative_zero());
    }

    #[test]
    fn to_i128() {
        assert_eq!(NumberText("-1e3").to_i128(), Ok(-1000));
    }

    #[test]
    fn to_u128() {
        assert_eq!(NumberText("1e38").to_u128(), Ok(10_u128.pow(38)));
    }

    #[test]
    fn to_f64() {
        assert_eq!(NumberText("2.5").to_f64().to_bits(), 2.5_f64.to_bits());
        assert!(NumberText("-1e999").to_f64() == f64::NEG_INFINITY);
    }

    #[test]
    fn value() {
        assert_eq!(NumberText("2e2").value(), Number::Integer(200));
        assert_eq!(NumberText("2.5").value(), Number::Float(2.5));
    }

    #[test]
    fn same_value() {
        assert!(NumberText("1e3").same_value(NumberText("1000.0")));
        assert!(!NumberText("0.1").same_value(NumberText("0.1000000000000000055511151231257827")));
    }

    #[test]
    fn compare() {
        assert_eq!(NumberText("14.5").compare(Number::Integer(14)), Ordering::Greater);
    }

    #[test]
    fn is_multiple_of() {
        assert!(NumberText("19.99").is_multiple_of(Number::Float(0.01)));
        assert!(!NumberText("7").is_multiple_of(Number::Integer(2)));
    }
}
