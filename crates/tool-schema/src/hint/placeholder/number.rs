//! Finds numbers within a range that are multiples of a step.
//!
//! Invariant: a returned number satisfies the facts.

use crate::issue::ExpectedFacts;
use crate::json::{Number, NumberText};

/// Returns an integer within the range: 1 if possible, or else the nearest one.
pub(super) fn integer(facts: &ExpectedFacts, nth: usize) -> Option<String> {
    let step = match facts.multiple_of {
        None => 1,
        Some(Number::Integer(step)) if step > 0 => step,
        Some(_) => return None,
    };
    let least = [facts.min.map(|bound| ceiling(bound, false)), facts.exclusive_min.map(|bound| ceiling(bound, true))];
    let most = [facts.max.map(|bound| floor(bound, false)), facts.exclusive_max.map(|bound| floor(bound, true))];
    let least = least.into_iter().flatten().max();
    let most = most.into_iter().flatten().min();
    let wished = least.unwrap_or(1).max(1).min(most.unwrap_or(i128::MAX)).max(least.unwrap_or(i128::MIN));
    let up = wished.checked_add((step - wished.rem_euclid(step)) % step)?;
    let first = if most.is_some_and(|most| up > most) { up.checked_sub(step)? } else { up };
    let value = first.checked_add(step.checked_mul(i128::try_from(nth).ok()?)?)?;
    let is_within = least.is_none_or(|least| first >= least) && most.is_none_or(|most| value <= most);
    is_within.then(|| value.to_string())
}

/// Returns the least integer at or above a bound. Bounds beyond `i128` are replaced by the limits of `i128`.
#[allow(clippy::cast_possible_truncation)] // a float beyond the range of `i128` saturates, as intended
fn ceiling(bound: Number, excluded: bool) -> i128 {
    match bound {
        Number::Integer(bound) => bound.saturating_add(excluded.into()),
        Number::Large(_) => i128::MAX,
        Number::Float(bound) if excluded && bound.fract() == 0.0 => (bound as i128).saturating_add(1),
        Number::Float(bound) => bound.ceil() as i128,
    }
}

/// Returns the greatest integer at or below a bound.
#[allow(clippy::cast_possible_truncation)] // a float beyond the range of `i128` saturates, as intended
fn floor(bound: Number, excluded: bool) -> i128 {
    match bound {
        Number::Integer(bound) => bound.saturating_sub(excluded.into()),
        Number::Large(_) => i128::MAX,
        Number::Float(bound) if excluded && bound.fract() == 0.0 => (bound as i128).saturating_sub(1),
        Number::Float(bound) => bound.floor() as i128,
    }
}

/// Returns a number for a range that contains no integer, or for a fractional step.
pub(super) fn fraction(facts: &ExpectedFacts) -> Option<String> {
    let float = |number: Number| NumberText(&number.to_string()).to_f64();
    let least = facts.min.or(facts.exclusive_min).map(float);
    let most = facts.max.or(facts.exclusive_max).map(float);
    let step = facts.multiple_of.map(float);
    let value = match (least, most, step) {
        (Some(least), _, Some(step)) => ((least / step).floor() + 1.0) * step,
        (None, Some(most), Some(step)) => ((most / step).ceil() - 1.0) * step,
        (None, None, Some(step)) => step,
        (Some(least), Some(most), None) => f64::midpoint(least, most),
        _ => return None,
    };
    let text = serde_json::to_string(&value).ok()?;
    let sent = NumberText(&text);
    let satisfied = facts.min.is_none_or(|bound| sent.compare(bound).is_ge())
        && facts.exclusive_min.is_none_or(|bound| sent.compare(bound).is_gt())
        && facts.max.is_none_or(|bound| sent.compare(bound).is_le())
        && facts.exclusive_max.is_none_or(|bound| sent.compare(bound).is_lt())
        && facts.multiple_of.is_none_or(|divisor| sent.is_multiple_of(divisor));
    satisfied.then_some(text)
}
