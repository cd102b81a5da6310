//! Compares the checks for unsatisfiable rules with an exhaustive search: a rule is rejected exactly if no small integer satisfies it.

use std::num::NonZero;

use proptest::prelude::*;

use super::{Asked, Ends, Fault, assert_fits_http_header, assert_satisfiable_range, length_fault, on_leaves};
use crate::__private::{ShapeInit, length, object};
use crate::input::ToolInput;
use crate::json::Number;
use crate::shape::{Kind, Measure, Range, Ref, Rule, Shape, SharedSlice, UnknownKeys};

#[allow(clippy::unnecessary_wraps)] // The result is used as a bound.
const fn float(value: f64) -> Option<Number> {
    Some(Number::Float(value))
}

#[allow(clippy::unnecessary_wraps)]
const fn integer(value: i128) -> Option<Number> {
    Some(Number::Integer(value))
}

const fn from(min: Option<Number>) -> Range {
    Range { min, ..Range::UNBOUNDED }
}

const fn to(max: Option<Number>) -> Range {
    Range { max, ..Range::UNBOUNDED }
}

fn said(fault: Option<Fault>) -> Option<String> {
    fault.map(|fault| fault.words().as_str().to_owned())
}

fn range(shape: &Shape, range: Range) -> Option<String> {
    said(on_leaves(shape, Asked::Range(Ends::from_range(&range)), Ends::NONE))
}

fn multiple(shape: &Shape, range: Range, divisor: Number) -> Option<String> {
    said(on_leaves(shape, Asked::Multiple(Ends::from_range(&range), divisor), Ends::NONE))
}

/// A newtype with its own rule.
const SHARE: &Shape = &ShapeInit {
    rules: const { &[Rule::Range(Range { exclusive_min: float(0.0), exclusive_max: float(0.5), ..Range::UNBOUNDED })] },
    ..ShapeInit::DEFAULT
}
.shape(Kind::Alias(Ref::Static(f64::SHAPE)));

#[test]
#[should_panic = "no value of the type lies in this range: write a `min` of at most 255"]
fn a_rejection_panics_with_its_message() {
    assert_satisfiable_range(u8::SHAPE, &from(integer(300)));
}

#[test]
fn the_message_contains_the_bounds_of_the_type() {
    let beside = |words: &str| Some(format!("no value of the type lies in this range: write a {words}"));
    assert_eq!(range(u8::SHAPE, from(integer(300))), beside("`min` of at most 255"));
    assert_eq!(range(u8::SHAPE, from(integer(255))), None);
    assert_eq!(range(u8::SHAPE, to(float(-0.5))), beside("`max` of at least 0"));
    assert_eq!(range(<Option<u8>>::SHAPE, from(integer(300))), beside("`min` of at most 255"));
    assert_eq!(range(<NonZero<i8>>::SHAPE, from(integer(300))), beside("`min` of at most 127"));
    assert_eq!(range(<NonZero<i8>>::SHAPE, to(integer(-1))), None);
    assert_eq!(range(u128::SHAPE, from(Some(Number::Large(u128::MAX)))), None);
    assert_eq!(range(u128::SHAPE, from(float(1e39))), beside(&format!("`min` of at most {}", u128::MAX)));
    assert_eq!(range(SHARE, from(integer(1))), beside("`min` below 0.5"));
    assert_eq!(range(SHARE, from(float(0.5))), beside("`min` below 0.5"));
    assert_eq!(range(SHARE, to(float(0.0))), beside("`max` above 0"));
    assert_eq!(range(SHARE, to(float(0.25))), None);
    // No issue is reported for a type that the compiler cannot follow, nor for a type without numbers.
    assert_eq!(range(<Box<u8>>::SHAPE, from(integer(300))), None);
    assert_eq!(range(String::SHAPE, from(integer(300))), None);
}

#[test]
fn a_range_between_neighbours_contains_no_integer() {
    let around = |words: &str| Some(format!("no integer lies in this range: write `{words}`"));
    let fractions = Range { min: float(1.2), max: float(1.8), ..Range::UNBOUNDED };
    assert_eq!(range(i32::SHAPE, fractions), around("range(min = 1, max = 2)"));
    assert_eq!(range(f64::SHAPE, fractions), None);
    let neighbours = Range { exclusive_min: integer(-1), exclusive_max: integer(0), ..Range::UNBOUNDED };
    assert_eq!(range(i32::SHAPE, neighbours), around("range(min = -1, max = 0)"));
    assert_eq!(range(f64::SHAPE, neighbours), None);
}

#[test]
fn bounds_beyond_every_f32_are_rejected() {
    assert!(
        range(f32::SHAPE, from(float(1e39))).is_some_and(|words| words.contains("write a `min` of at most `3.4e38`"))
    );
    assert!(range(f32::SHAPE, to(float(-1e39))).is_some_and(|words| words.contains("`max` of at least `-3.4e38`")));
    assert_eq!(range(f32::SHAPE, from(float(3.4e38))), None);
    assert_eq!(range(f64::SHAPE, from(float(1e39))), None);
}

#[test]
fn divisors_without_a_multiple_in_the_range_are_rejected() {
    let within = |min, max| Range::inclusive(Number::Integer(min), Number::Integer(max));
    let none = |words: &str| Some(format!("no multiple of this lies in the range: write {words}"));
    assert_eq!(multiple(u8::SHAPE, within(1, 5), Number::Integer(10)), none("a `max` of at least 10"));
    assert_eq!(multiple(u8::SHAPE, from(integer(1)), Number::Integer(300)), none("a `min` of at most 0"));
    assert_eq!(multiple(u8::SHAPE, Range::UNBOUNDED, Number::Integer(300)), None);
    assert_eq!(
        multiple(<NonZero<u8>>::SHAPE, Range::UNBOUNDED, Number::Integer(300)).as_deref(),
        Some("no value of the type is a multiple of this: write a smaller number"),
    );
    let open = Range { exclusive_min: integer(0), exclusive_max: integer(5), ..Range::UNBOUNDED };
    assert_eq!(multiple(f64::SHAPE, open, Number::Integer(5)), none("a `max` of at least 5"));
    assert_eq!(multiple(f64::SHAPE, open, Number::Float(0.1)), None);
    let narrow = Range { min: float(0.11), max: float(0.19), ..Range::UNBOUNDED };
    assert_eq!(multiple(f64::SHAPE, narrow, Number::Float(0.1)), none("a smaller number, or a wider range"));
    let touching = Range { min: float(0.3), max: float(0.3), ..Range::UNBOUNDED };
    assert_eq!(multiple(f64::SHAPE, touching, Number::Float(0.1)), None);
    // An empty range has its own message.
    assert_eq!(multiple(u8::SHAPE, from(integer(300)), Number::Integer(7)), None);
}

#[test]
fn lengths_that_no_value_has_are_rejected() {
    const CODE: &Shape =
        &ShapeInit { rules: const { &[length(Measure::Characters, 2, Some(3))] }, ..ShapeInit::DEFAULT }
            .shape(Kind::Alias(Ref::Static(String::SHAPE)));
    const EMPTY: &Shape = &ShapeInit::DEFAULT.shape(object(&[], UnknownKeys::Ignored));
    let judge = |shape: &Shape, min, max| said(length_fault(shape, min, max));
    let long = |longest: &str| Some(format!("no value of the type is that long: write a `min` of at most {longest}"));
    let short = |least: &str| Some(format!("no value of the type is that short: write a `max` of at least {least}"));
    assert_eq!(judge(<[u8; 3]>::SHAPE, 5, None), long("3"));
    assert_eq!(judge(<[u8; 3]>::SHAPE, 0, Some(2)), short("3"));
    assert_eq!(judge(<[u8; 3]>::SHAPE, 3, Some(3)), None);
    assert_eq!(judge(CODE, 4, None), long("3"));
    assert_eq!(judge(CODE, 0, Some(1)), short("2"));
    assert_eq!(judge(CODE, 3, Some(9)), None);
    assert_eq!(judge(<Vec<u8>>::SHAPE, 300, None), None);
    assert_eq!(judge(EMPTY, 1, None), None);
}

/// Returns the shape of integers with a range between -4 and 4.
fn own(min: i128, max: i128) -> &'static Shape {
    let rule = Rule::Range(Range::inclusive(Number::Integer(min), Number::Integer(max)));
    Box::leak(Box::new(Shape { rules: SharedSlice::Static(Box::leak(Box::new([rule]))), ..Shape::new(Kind::Integer) }))
}

fn end() -> impl Strategy<Value = Option<Number>> {
    prop::option::of(prop_oneof![
        (-6_i128..=6).prop_map(Number::Integer),
        (-24_i32..=24).prop_map(|quarters| Number::Float(f64::from(quarters) / 4.0)),
    ])
}

fn lies_in(value: i128, range: &Range) -> bool {
    let value = Number::Integer(value);
    range.min.is_none_or(|min| value.compare(min).is_ge())
        && range.max.is_none_or(|max| value.compare(max).is_le())
        && range.exclusive_min.is_none_or(|min| value.compare(min).is_gt())
        && range.exclusive_max.is_none_or(|max| value.compare(max).is_lt())
}

proptest! {
    #[test]
    fn a_range_is_rejected_exactly_if_it_contains_no_integer(
        (min, max, exclusive_min, exclusive_max) in (end(), end(), end(), end()),
        (low, size) in (-4_i128..=4, 0_i128..=4),
        divisor in 1_i128..=5,
    ) {
        let asked = Range { min, max, exclusive_min, exclusive_max };
        let shape = own(low, low + size);
        let within: Vec<i128> = (low..=low + size).filter(|value| lies_in(*value, &asked)).collect();
        prop_assert_eq!(range(shape, asked).is_some(), within.is_empty());
        let is_bare = !within.is_empty() && within.iter().all(|value| value % divisor != 0);
        prop_assert_eq!(multiple(shape, asked, Number::Integer(divisor)).is_some(), is_bare);
        // The multiples of a float are counted with a tolerance, so that a rule with a solution is never rejected.
        #[allow(clippy::cast_precision_loss)]
        let counted = multiple(shape, asked, Number::Float(divisor as f64)).is_some();
        prop_assert!(!counted || is_bare);
    }
}

#[test]
fn a_header_takes_texts_booleans_and_integers_of_53_bits() {
    const SAFE: i128 = 9_007_199_254_740_991;
    let within = |low, high| [Rule::Range(Range { min: integer(low), max: integer(high), ..Range::UNBOUNDED })];
    let fits = |shape: &'static Shape, rules: &[Rule]| {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| assert_fits_http_header(shape, rules))).is_ok()
    };
    for shape in [String::SHAPE, bool::SHAPE, i32::SHAPE, <Option<u32>>::SHAPE] {
        assert!(fits(shape, &[]), "{shape:?}");
    }
    for shape in [f64::SHAPE, i64::SHAPE, u64::SHAPE, <Vec<bool>>::SHAPE, <()>::SHAPE, <Box<String>>::SHAPE, Shape::ANY]
    {
        assert!(!fits(shape, &[]), "{shape:?}");
    }
    assert!(fits(i64::SHAPE, &within(-SAFE, SAFE)));
    assert!(!fits(i64::SHAPE, &within(-SAFE - 1, SAFE)));
    assert!(!fits(i64::SHAPE, &within(-SAFE, SAFE + 1)));
    assert!(!fits(i64::SHAPE, &within(SAFE + 2, SAFE + 9)));
    assert!(fits(u64::SHAPE, &[Rule::Range(to(integer(SAFE)))]));
}
