//! Checks on a literal those rules that a `const fn` can check: `length`, `range` and `inner`.
//!
//! The result is the first issue. A rule for another JSON type passes.

use std::cmp::Ordering;

use super::const_json::Literal;
use super::items::each;
use super::message::Fault;
use crate::json::Number;
use crate::shape::const_loop::{characters, first};
use crate::shape::{Length, Measure, Range, Rule};

/// Returns the issue for the first rule that the literal breaks.
pub(super) const fn broken(literal: &Literal, rules: &[Rule]) -> Option<Fault> {
    first!(rule in rules => match (rule, literal) {
        (Rule::Length(length), _) => length_fault(literal, *length),
        (Rule::Range(range), Literal::Number(number)) => range_fault(*number, range),
        (Rule::Inner(inner), _) => match inner.as_static() {
            Some(inner) => each!(item in literal => broken(item, inner)),
            None => None,
        },
        _ => None,
    })
}

const fn length_fault(literal: &Literal, length: Length) -> Option<Fault> {
    let (count, short, long) = match (length.measure, literal) {
        (Measure::Characters, Literal::String(text)) => (
            characters(text) as u64,
            "the text has fewer characters than its `length` asks for: write at least ",
            "the text has more characters than its `length` allows: write at most ",
        ),
        (Measure::Items, Literal::Array(items)) => (
            items.len() as u64,
            "the array has fewer items than its `length` asks for: write at least ",
            "the array has more items than its `length` allows: write at most ",
        ),
        (Measure::Properties, Literal::Object(members)) => (
            members.len() as u64,
            "the map has fewer members than its `length` asks for: write at least ",
            "the map has more members than its `length` allows: write at most ",
        ),
        _ => return None,
    };
    match length.max {
        _ if count < length.min => Some(Fault::Bound(short, Number::Integer(length.min as i128))),
        Some(max) if count > max => Some(Fault::Bound(long, Number::Integer(max as i128))),
        _ => None,
    }
}

const fn range_fault(number: Number, range: &Range) -> Option<Fault> {
    if let Some(min) = range.min
        && matches!(number.compare(min), Ordering::Less)
    {
        return Some(Fault::Bound("the number is below the minimum: write at least ", min));
    }
    if let Some(max) = range.max
        && matches!(number.compare(max), Ordering::Greater)
    {
        return Some(Fault::Bound("the number is above the maximum: write at most ", max));
    }
    if let Some(min) = range.exclusive_min
        && !matches!(number.compare(min), Ordering::Greater)
    {
        return Some(Fault::Bound("the number is not above the exclusive minimum: write more than ", min));
    }
    if let Some(max) = range.exclusive_max
        && !matches!(number.compare(max), Ordering::Less)
    {
        return Some(Fault::Bound("the number is not below the exclusive maximum: write less than ", max));
    }
    None
}
