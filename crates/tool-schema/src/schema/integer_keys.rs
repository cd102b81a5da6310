//! Patterns for keys that are integers written as strings, for `propertyNames`.
//!
//! The pattern matches the integers between two bounds as `serde_json` parses them from a key, and no other string. It is exact up to ten
//! digits. For wider types, an exact pattern would need an alternative for each digit, which is too long for a schema, so the pattern only
//! limits the number of digits.

use crate::json::Number;

/// The maximum number of digits for an exact pattern; longer bounds get a pattern that counts digits.
const EXACT: usize = 10;

/// Returns the pattern for the integers from `min`, which is at most zero, to `max`.
pub(super) fn pattern(min: Number, max: Number) -> String {
    let (least, most) = (magnitude(min), magnitude(max));
    let most_pattern = up_to(&most);
    match (least.as_str(), is_successor(&least, &most)) {
        ("0", _) => format!("^(0|{most_pattern})$"),
        // A two's complement type has one more negative integer.
        (_, true) if most.len() <= EXACT => format!("^(0|-?({most_pattern})|-{least})$"),
        (_, true) => format!("^(0|-?{most_pattern})$"),
        _ => format!("^(0|{most_pattern}|-({}))$", up_to(&least)),
    }
}

fn magnitude(number: Number) -> String {
    number.to_string().trim_start_matches('-').to_owned()
}

fn is_successor(one: &str, other: &str) -> bool {
    let read = |digits: &str| digits.parse::<u128>().ok();
    read(other).and_then(|other| other.checked_add(1)) == read(one)
}

/// Returns the pattern for integers from 1 to a bound, without leading zeros. The first alternative is for integers with fewer digits. Each
/// of the others is for one position: the digits before it are those of the bound, and its own digit is less than that of the bound.
fn up_to(end: &str) -> String {
    let digits = end.as_bytes();
    if digits.len() > EXACT {
        return format!("[1-9]{}", any_digits(0, digits.len() - 1));
    }
    let mut alternatives = Vec::new();
    if digits.len() > 1 {
        alternatives.push(format!("[1-9]{}", any_digits(0, digits.len() - 2)));
    }
    for (index, &digit) in digits.iter().enumerate() {
        let rest = digits.len() - index - 1;
        let least = if index == 0 { b'1' } else { b'0' };
        // Only the last digit may also equal that of the bound.
        let most = if rest == 0 { digit } else { digit - 1 };
        if most >= least {
            let (least, most) = (char::from(least), char::from(most));
            let class = if least == most { least.to_string() } else { format!("[{least}-{most}]") };
            alternatives.push(format!("{}{class}{}", &end[..index], any_digits(rest, rest)));
        }
    }
    alternatives.join("|")
}

fn any_digits(least: usize, most: usize) -> String {
    match (least, most) {
        (_, 0) => String::new(),
        (0, 1) => "[0-9]?".to_owned(),
        (1, 1) => "[0-9]".to_owned(),
        _ if least == most => format!("[0-9]{{{most}}}"),
        _ => format!("[0-9]{{{least},{most}}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern_of(min: i128, max: i128) -> String {
        pattern(Number::Integer(min), Number::Integer(max))
    }

    #[test]
    fn the_patterns_of_a_table_are_exact() {
        assert_eq!(pattern_of(0, 255), "^(0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])$");
        assert_eq!(pattern_of(-128, 127), "^(0|-?([1-9][0-9]?|1[0-1][0-9]|12[0-7])|-128)$");
        assert_eq!(pattern_of(-3, 12), "^(0|[1-9]|1[0-2]|-([1-3]))$");
        assert_eq!(pattern_of(0, 100), "^(0|[1-9][0-9]?|100)$");
        assert_eq!(pattern_of(i64::MIN.into(), i64::MAX.into()), "^(0|-?[1-9][0-9]{0,18})$");
    }

    #[cfg(feature = "pattern")]
    #[test]
    fn a_pattern_of_up_to_ten_digits_is_exact() {
        let ends: [(i128, i128); 7] = [
            (0, 255),
            (-128, 127),
            (0, 65_535),
            (-32_768, 32_767),
            (0, 4_294_967_295),
            (-2_147_483_648, 2_147_483_647),
            (-7, 40),
        ];
        for (min, max) in ends {
            let pattern = regex::Regex::new(&pattern_of(min, max)).expect("the pattern compiles");
            let around = |end: i128| end - 1_100..=end + 1_100;
            let powers =
                (0..12).map(|power| 10_i128.pow(power)).flat_map(|power| [power, power - 1, -power, 1 - power]);
            for number in around(min).chain(around(max)).chain(around(0)).chain(powers) {
                let fits = (min..=max).contains(&number);
                assert_eq!(pattern.is_match(&number.to_string()), fits, "{number} from {min} to {max}");
            }
            for text in ["", "-0", "00", "01", "+1", " 1", "1.0", "1e0", "-", "a"] {
                assert!(!pattern.is_match(text), "{text:?}");
            }
        }
    }
}
