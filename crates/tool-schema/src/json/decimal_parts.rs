//! Splits the text of a number into its parts, exactly and without allocating.
//!
//! The parts are the sign, the significant digits and the position of the decimal point, in a normal form, so that two texts of the same
//! mathematical value are equal and have the same hash. Exponents beyond ±2^62 are treated as ±2^62, so that an exponent costs no more than
//! reading its digits.

use std::hash::{Hash, Hasher};

/// The reason why a number cannot be converted to an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotInteger {
    /// The number has a fractional part.
    #[error("the number has a fractional part")]
    Fraction,
    /// The number is an integer, but too large or too small.
    #[error("the integer is out of range")]
    OutOfRange,
}

/// `±0.DIGITS × 10^point`, without leading or trailing zeros in `DIGITS`; zero has no digits and no sign.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decimal<'a> {
    pub(super) negative: bool,
    /// The digits; a dot between them is ignored.
    digits: &'a str,
    point: i64,
}

impl<'a> Decimal<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
            Some(end) => (&unsigned[..end], saturating_exponent(&unsigned[end + 1..])),
            None => (unsigned, 0),
        };
        let significant = mantissa.trim_start_matches(['0', '.']);
        let digits = significant.trim_end_matches(['0', '.']);
        if digits.is_empty() {
            return Self { negative: false, digits, point: 0 };
        }
        let whole = mantissa.find('.').unwrap_or(mantissa.len());
        let skipped = mantissa.len() - significant.len();
        // If the dot was skipped too, it must not be counted as a zero.
        let point = if skipped <= whole { signed(whole - skipped) } else { 1 - signed(skipped - whole) };
        Self { negative: unsigned.len() < text.len(), digits, point: point.saturating_add(exponent) }
    }

    pub(super) const fn is_zero(self) -> bool {
        self.digits.is_empty()
    }

    pub(super) fn is_integral(self) -> bool {
        self.places() <= self.point
    }

    /// Returns the absolute value, if it is an integer that fits a `u128`.
    pub(super) fn magnitude(self) -> Result<u128, NotInteger> {
        if !self.is_integral() {
            return Err(NotInteger::Fraction);
        }
        let zeros = u32::try_from(self.point - self.places()).map_err(|_| NotInteger::OutOfRange)?;
        self.significant()
            .try_fold(0_u128, |value, digit| value.checked_mul(10)?.checked_add(u128::from(digit - b'0')))
            .zip(10_u128.checked_pow(zeros))
            .and_then(|(digits, scale)| digits.checked_mul(scale))
            .ok_or(NotInteger::OutOfRange)
    }

    fn places(self) -> i64 {
        signed(self.significant().count())
    }

    fn significant(self) -> impl Iterator<Item = u8> + 'a {
        self.digits.bytes().filter(u8::is_ascii_digit)
    }
}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.negative == other.negative && self.point == other.point && self.significant().eq(other.significant())
    }
}

impl Eq for Decimal<'_> {}

impl Hash for Decimal<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.negative.hash(state);
        self.point.hash(state);
        self.significant().for_each(|digit| state.write_u8(digit));
    }
}

fn saturating_exponent(text: &str) -> i64 {
    let digits = text.trim_start_matches(['+', '-']);
    let limit = 1_i64 << 62;
    let value = digits
        .bytes()
        .filter(u8::is_ascii_digit)
        .fold(0_i64, |value, digit| value.saturating_mul(10).saturating_add(i64::from(digit - b'0')).min(limit));
    if text.starts_with('-') { -value } else { value }
}

fn signed(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use crate::json::NumberText;
    use crate::json::decimal_parts::NotInteger;

    #[test]
    fn not_integer() {
        assert_eq!(NumberText("1e999999999").to_i128(), Err(NotInteger::OutOfRange));
        assert_eq!(NumberText("0.5").to_i128(), Err(NotInteger::Fraction));
    }
}
