//! The text of a number in a document, and what it means.
//!
//! In comes the text; out goes whether it is an integer, its value as a [`Number`], and how that stands to a bound or a
//! divisor. An integer of at most 128 bits has its exact value, however it is written; everything else is the `f64`
//! that `serde_json` reads from the same text, so that a bound means the same here as on a typed value. No exponent is
//! too large to be answered at once.

use std::cmp::Ordering;

use super::Number;
use super::decimal::{Decimal, NotInteger};

/// The text of a number in a JSON document.
///
/// Any other text gives an arbitrary answer, never a panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberText<'a>(pub &'a str);

impl NumberText<'_> {
    /// Whether its mathematical value is an integer, however it is written and however large it is.
    pub fn is_integral(self) -> bool {
        self.has_digits_alone() || Decimal::new(self.0).is_integral()
    }

    /// Whether it is written as `serde` wants integers: no dot, no exponent, no `-0`.
    pub fn is_plain_integer(self) -> bool {
        self.0 != "-0" && self.has_digits_alone()
    }

    /// Checks that it has neither a dot nor an exponent.
    fn has_digits_alone(self) -> bool {
        !self.0.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E'))
    }

    /// Whether it is zero with a minus sign, in any spelling.
    pub fn is_negative_zero(self) -> bool {
        self.0.starts_with('-') && Decimal::new(self.0).is_zero()
    }

    /// Its exact value where it is an integer that fits.
    pub fn to_i128(self) -> Result<i128, NotInteger> {
        let decimal = Decimal::new(self.0);
        let magnitude = decimal.magnitude()?;
        let value =
            if decimal.negative { 0_i128.checked_sub_unsigned(magnitude) } else { i128::try_from(magnitude).ok() };
        value.ok_or(NotInteger::OutOfRange)
    }

    /// Its exact value where it is an integer that fits and is not negative.
    pub fn to_u128(self) -> Result<u128, NotInteger> {
        let decimal = Decimal::new(self.0);
        let magnitude = decimal.magnitude()?;
        if decimal.negative { Err(NotInteger::OutOfRange) } else { Ok(magnitude) }
    }

    /// The `f64` that `serde_json` reads from this text; infinite where it refuses because the number is too large.
    pub fn to_f64(self) -> f64 {
        let infinity = if self.0.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY };
        serde_json::from_str(self.0).unwrap_or(infinity)
    }

    /// Its value: exact where it is an integer of at most 128 bits, else the nearest float.
    pub fn value(self) -> Number {
        // The usual spelling first; taking a number apart costs more than most checks of it.
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

    /// Whether another text is the same number, digit for digit, however either is written.
    pub fn same_value(self, other: NumberText<'_>) -> bool {
        Decimal::new(self.0) == Decimal::new(other.0)
    }

    /// How its value stands to a bound.
    pub fn compare(self, bound: Number) -> Ordering {
        self.value().compare(bound)
    }

    /// Whether its value is a multiple of a divisor, by [`Number::is_multiple_of`].
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
