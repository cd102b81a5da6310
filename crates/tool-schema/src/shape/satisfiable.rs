//! Compile-time checks for rules that no value of a type satisfies.
//!
//! An unsatisfiable rule panics in a `const`, which is a compile error at the rule. The check follows direct edges and takes into account
//! the rules of every shape that it reaches (the width of an integer, the size of an array, the rules of a newtype). Invariant: a rule that
//! some value satisfies never causes a panic; `null` does not count, because it satisfies every rule.

mod bounds;
mod http_header;
#[cfg(test)]
mod tests;

use self::bounds::{Ends, counted, nearest};
pub use self::http_header::assert_fits_http_header;
use super::const_loop::first;
use super::verify_literal::message::Fault;
use super::{Kind, Length, Precision, Range, Ref, Rule, Shape, Tagging, Union};
use crate::json::Number;

/// Panics if no value of the shape is in the range.
#[track_caller]
pub const fn assert_satisfiable_range(shape: &Shape, range: &Range) {
    reject(on_leaves(shape, Asked::Range(Ends::from_range(range)), Ends::NONE));
}

/// Panics if no value of the shape within the field's range is a multiple of `divisor`.
#[track_caller]
pub const fn assert_satisfiable_multiple(shape: &Shape, range: &Range, divisor: Number) {
    reject(on_leaves(shape, Asked::Multiple(Ends::from_range(range), divisor), Ends::NONE));
}

/// Panics if no value of the shape has such a length.
#[track_caller]
pub const fn assert_satisfiable_length(shape: &Shape, min: u64, max: Option<u64>) {
    reject(length_fault(shape, min, max));
}

#[track_caller]
const fn reject(fault: Option<Fault>) {
    if let Some(fault) = fault {
        panic!("{}", fault.words().as_str());
    }
}

/// The numeric rule to check.
#[derive(Clone, Copy)]
enum Asked {
    Range(Ends),
    Multiple(Ends, Number),
}

/// Follows the direct edges to the shapes of numbers, and checks the rule at each. `own` holds the bounds of all shapes on the way.
const fn on_leaves(shape: &Shape, asked: Asked, own: Ends) -> Option<Fault> {
    let own = with_rules_of(shape, own);
    match (&shape.kind, asked) {
        (Kind::Nullable(Ref::Static(inner)) | Kind::Alias(Ref::Static(inner)), _) => on_leaves(inner, asked, own),
        (Kind::Union(union), _) if matches!(union.tagging, Tagging::Untagged) => on_branches(union, asked, own),
        (Kind::Integer, Asked::Range(asked)) => integer_fault(asked.whole(), own.whole()),
        (Kind::Number(precision), Asked::Range(asked)) => number_fault(asked, own, *precision),
        (Kind::Integer, Asked::Multiple(asked, divisor)) => multiple_fault(asked.whole(), own.whole(), divisor),
        (Kind::Number(_), Asked::Multiple(asked, divisor)) => multiple_fault(asked, own, divisor),
        _ => None,
    }
}

/// Checks a union of several kinds of numbers, such as a signed integer without zero. One branch that can satisfy the rule is sufficient.
const fn on_branches(union: &Union, asked: Asked, own: Ends) -> Option<Fault> {
    let Some(variants) = union.variants.as_static() else { return None };
    let (mut index, mut first) = (0, None);
    while index < variants.len() {
        let Some(Ref::Static(payload)) = &variants[index].payload else { return None };
        let fault = on_leaves(payload, asked, own);
        if fault.is_none() {
            return None;
        }
        if first.is_none() {
            first = fault;
        }
        index += 1;
    }
    first
}

const fn with_rules_of(shape: &Shape, ends: Ends) -> Ends {
    match shape.rules.as_static() {
        Some(rules) => with_rules(rules, ends),
        None => ends,
    }
}

const fn with_rules(rules: &[Rule], mut ends: Ends) -> Ends {
    let mut index = 0;
    while index < rules.len() {
        if let Rule::Range(range) = &rules[index] {
            ends = ends.narrowed(Ends::from_range(range));
        }
        index += 1;
    }
    ends
}

const fn integer_fault(asked: Ends, own: Ends) -> Option<Fault> {
    match (asked.low, asked.high) {
        // After rounding, the bounds are neighbours in the wrong order, so swapping them gives a range that contains integers.
        (Some(low), Some(high)) if asked.are_empty() => {
            Some(Fault::Range("no integer lies in this range: write ", high.value, low.value))
        }
        _ => apart(asked, own),
    }
}

#[allow(clippy::cast_possible_truncation)]
const fn number_fault(asked: Ends, own: Ends, precision: Precision) -> Option<Fault> {
    let fault = apart(asked, own);
    if fault.is_some() || matches!(precision, Precision::Double) {
        return fault;
    }
    // Either bound may be beyond every `f32`.
    if let Some(low) = asked.low
        && low.value.as_f64() as f32 == f32::INFINITY
    {
        return Some(Fault::Words("no `f32` lies in this range: write a `min` of at most `3.4e38`, or take `f64`"));
    }
    if let Some(high) = asked.high
        && high.value.as_f64() as f32 == f32::NEG_INFINITY
    {
        return Some(Fault::Words("no `f32` lies in this range: write a `max` of at least `-3.4e38`, or take `f64`"));
    }
    None
}

/// Returns the issue of a range that does not overlap the type's own range.
const fn apart(asked: Ends, own: Ends) -> Option<Fault> {
    if let Some(low) = own.low
        && (Ends { low: own.low, high: asked.high }).are_empty()
    {
        let words = if low.exclusive {
            "no value of the type lies in this range: write a `max` above "
        } else {
            "no value of the type lies in this range: write a `max` of at least "
        };
        return Some(Fault::Bound(words, low.value));
    }
    if let Some(high) = own.high
        && (Ends { low: asked.low, high: own.high }).are_empty()
    {
        let words = if high.exclusive {
            "no value of the type lies in this range: write a `min` below "
        } else {
            "no value of the type lies in this range: write a `min` of at most "
        };
        return Some(Fault::Bound(words, high.value));
    }
    None
}

/// Returns the issue of a divisor that has no multiple in the range. An empty range is an issue of its own.
const fn multiple_fault(asked: Ends, own: Ends, divisor: Number) -> Option<Fault> {
    let both = own.narrowed(asked);
    if both.are_empty() {
        return None;
    }
    let (Some(low), Some(high)) = (both.low, both.high) else { return None };
    let (Number::Integer(from), Number::Integer(to), Number::Integer(step)) = (low.value, high.value, divisor) else {
        return match counted(low.value.as_f64(), high.value.as_f64(), divisor.as_f64()) {
            Some(0) => {
                Some(Fault::Words("no multiple of this lies in the range: write a smaller number, or a wider range"))
            }
            _ => None,
        };
    };
    let Some((before, behind)) = nearest(from, low.exclusive, to, high.exclusive, step) else { return None };
    let wider = Ends { low: own.low, high: own.high };
    Some(if wider.hold(behind) {
        Fault::Bound("no multiple of this lies in the range: write a `max` of at least ", Number::Integer(behind))
    } else if wider.hold(before) {
        Fault::Bound("no multiple of this lies in the range: write a `min` of at most ", Number::Integer(before))
    } else {
        Fault::Words("no value of the type is a multiple of this: write a smaller number")
    })
}

const fn length_fault(shape: &Shape, min: u64, max: Option<u64>) -> Option<Fault> {
    let rules = match shape.rules.as_static() {
        Some(rules) => rules,
        None => &[],
    };
    let fault = first!(rule in rules => match (rule, max) {
        (Rule::Length(own), Some(max)) if max < own.min => {
            let words = "no value of the type is that short: write a `max` of at least ";
            Some(Fault::Bound(words, Number::Integer(own.min as i128)))
        }
        (Rule::Length(Length { max: Some(longest), .. }), _) if min > *longest => {
            let words = "no value of the type is that long: write a `min` of at most ";
            Some(Fault::Bound(words, Number::Integer(*longest as i128)))
        }
        _ => None,
    });
    match &shape.kind {
        _ if fault.is_some() => fault,
        Kind::Nullable(Ref::Static(inner)) | Kind::Alias(Ref::Static(inner)) => length_fault(inner, min, max),
        _ => None,
    }
}
