//! `Limits`: the combined rules of a location, for a generator that keeps them or breaks exactly one.

use tool_schema::json::Number;
use tool_schema::shape::{Measure, Pattern, Rule, StringFormat};

/// The rules of one location.
pub type Rules = Vec<&'static Rule>;

/// The bounds of a number.
#[derive(Clone, Copy, Debug)]
pub struct Ends<T> {
    /// The smallest value.
    pub min: T,
    /// The largest value.
    pub max: T,
}

/// Returns the tightest bounds of a length.
pub(super) fn length(rules: &Rules, measure: Measure) -> (usize, Option<usize>) {
    let lengths = rules.iter().filter_map(|rule| match rule {
        Rule::Length(length) if length.measure == measure => Some(length),
        _ => None,
    });
    let narrow = |length: u64| usize::try_from(length).unwrap_or(usize::MAX);
    lengths.fold((0, None), |(min, max), length| {
        let max = [max, length.max.map(narrow)].into_iter().flatten().min();
        (narrow(length.min).max(min), max)
    })
}

/// Returns the range of integers that a location accepts, regardless of divisors.
pub fn integers(rules: &Rules) -> Ends<i128> {
    let mut ends = Ends { min: i128::MIN, max: i128::MAX };
    for rule in rules {
        let Rule::Range(range) = rule else { continue };
        let tighten = |ends: &mut Ends<i128>, min: Option<i128>, max: Option<i128>| {
            ends.min = ends.min.max(min.unwrap_or(i128::MIN));
            ends.max = ends.max.min(max.unwrap_or(i128::MAX));
        };
        tighten(&mut ends, range.min.map(|end| whole(end, f64::ceil)), range.max.map(|end| whole(end, f64::floor)));
        let above = range.exclusive_min.map(|end| whole(end, f64::floor).saturating_add(1));
        let below = range.exclusive_max.map(|end| whole(end, f64::ceil).saturating_sub(1));
        tighten(&mut ends, above, below);
    }
    ends
}

/// Returns `true` if a float is within the ranges of a location.
pub(super) fn in_range(rules: &Rules, value: f64) -> bool {
    rules.iter().all(|rule| match rule {
        Rule::Range(range) => {
            range.min.is_none_or(|end| value >= float(end))
                && range.max.is_none_or(|end| value <= float(end))
                && range.exclusive_min.is_none_or(|end| value > float(end))
                && range.exclusive_max.is_none_or(|end| value < float(end))
        }
        _ => true,
    })
}

/// Returns all bounds of all ranges of a location as floats.
pub(super) fn ends(rules: &Rules) -> Vec<f64> {
    let ranges = rules.iter().filter_map(|rule| if let Rule::Range(range) = rule { Some(range) } else { None });
    ranges
        .flat_map(|range| [range.min, range.max, range.exclusive_min, range.exclusive_max])
        .flatten()
        .map(float)
        .collect()
}

/// Returns the divisor of a location.
pub(super) fn divisor(rules: &Rules) -> Option<Number> {
    rules.iter().find_map(|rule| if let Rule::MultipleOf(divisor) = rule { Some(*divisor) } else { None })
}

/// Returns the pattern of a location.
pub(super) fn pattern(rules: &Rules) -> Option<&'static Pattern> {
    rules.iter().find_map(|rule| if let Rule::Pattern(pattern) = *rule { Some(pattern) } else { None })
}

/// Returns the format of a location.
pub(super) fn format(rules: &Rules) -> Option<StringFormat> {
    rules.iter().find_map(|rule| if let Rule::Format(format) = rule { Some(*format) } else { None })
}

/// Returns `true` if repeated items are rejected.
pub(super) fn unique(rules: &Rules) -> bool {
    rules.iter().any(|rule| matches!(rule, Rule::UniqueItems))
}

/// Returns the rules for items or values.
pub(super) fn inner(rules: &Rules) -> Rules {
    let inner = rules.iter().filter_map(|rule| if let Rule::Inner(inner) = *rule { Some(inner) } else { None });
    inner.flat_map(|rules| rules.iter()).collect()
}

/// Converts a number to a float.
#[allow(clippy::cast_precision_loss)] // Bounds are only compared as floats for number types.
pub(super) fn float(number: Number) -> f64 {
    match number {
        Number::Integer(value) => value as f64,
        Number::Large(value) => value as f64,
        Number::Float(value) => value,
    }
}

#[allow(clippy::cast_possible_truncation)] // The float was rounded to an integer, and `as` saturates.
fn whole(number: Number, round: fn(f64) -> f64) -> i128 {
    match number {
        Number::Integer(value) => value,
        Number::Large(_) => i128::MAX,
        Number::Float(value) => round(value) as i128,
    }
}
