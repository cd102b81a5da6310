//! `rust_decimal::Decimal` as a text with an optional fraction, so that no digit is lost on the way, as in `"12.50"`.
//!
//! The crate accepts more than the schema mentions: JSON numbers, exponents and `_` between digits. It rejects numbers of more than 28 digits.

use rust_decimal::Decimal;

use super::civil_time_rules::{is_digits, pattern};
use crate::input::std_types::leaves;
use crate::shape::{Kind, Shape};

/// The pattern of a decimal number.
const DECIMAL: &str = r"^-?[0-9]{1,28}(\.[0-9]{1,28})?$";

leaves! { Decimal => Shape::from_kind_and_rules(Kind::String, const { &[pattern(DECIMAL, is_decimal, "12.50")] }) }

/// Matches [`DECIMAL`] without a regular expression.
fn is_decimal(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, fraction)| (whole, Some(fraction)));
    let fits = |digits: &str| digits.len() <= 28 && is_digits(digits, digits.len().max(1));
    fits(whole) && fraction.is_none_or(fits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::crates::tests::check;

    #[test]
    fn the_schema_describes_what_the_crate_reads() {
        for text in ["0", "12.50", "-0.001", "1234567890123456789012345678"] {
            check::<Decimal>(text, true, true);
        }
        for text in ["", "-", ".5", "12.", "1,5", "1.2.3", "ten", "0x10", " 1"] {
            assert!(!is_decimal(text), "{text:?}");
        }
        check::<Decimal>("1e3", false, true);
        check::<Decimal>("1_000", false, true);
        assert!(serde_json::from_str::<Decimal>("12.5").is_ok() && serde_json::from_str::<Decimal>("7").is_ok());
    }

    #[cfg(feature = "pattern")]
    #[test]
    fn the_function_agrees_with_the_pattern() -> Result<(), regex::Error> {
        let regex = regex::Regex::new(DECIMAL)?;
        for text in ["", "-", "0", "-0", "1.", ".1", "1.5", "--1", "1.5.5", "12345678901234567890123456789", "٣"] {
            assert_eq!(is_decimal(text), regex.is_match(text), "{text:?}");
        }
        Ok(())
    }
}
