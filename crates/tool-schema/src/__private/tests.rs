//! Tests of the functions that generated code calls. The tests call them in the same form.

use std::collections::BTreeMap;

use super::{
    AcceptsFormat, AcceptsMultipleOf, AcceptsPattern, AcceptsRange, AcceptsUniqueItems, CustomRuleError, HasItems,
    HasLength, Json, Measure, Range, Regex, Rule, ToolInput, foreign, format, identity, inner, length, multiple_of,
    pattern, range, run_custom, unique_items,
};
use crate::json::Number;
use crate::shape::{Length, StringFormat};

const UP_TO_TEN: Range = Range::inclusive(Number::Integer(1), Number::Integer(10));

/// `const` constructors of all rules, each with the method that the guard calls.
const RULES: &[Rule] = const {
    &[
        length(<Option<Box<str>> as HasLength>::MEASURE, 1, Some(3)),
        range(<Option<u8> as AcceptsRange>::in_range, UP_TO_TEN),
        multiple_of(<f32 as AcceptsMultipleOf>::is_multiple_of, Number::Float(0.5)),
        pattern(<String as AcceptsPattern>::matches, "^a", begins_with_a, "a"),
        format(<String as AcceptsFormat>::is_format, StringFormat::Date),
        unique_items(<Vec<String> as AcceptsUniqueItems>::is_unique),
        inner(const { &[range(<u8 as AcceptsRange>::in_range, UP_TO_TEN)] }),
    ]
};

#[cfg(feature = "pattern")]
fn begins_with_a(text: &str) -> bool {
    static REGEX: Regex = Regex::new("^a");
    REGEX.is_match(text)
}

#[cfg(not(feature = "pattern"))]
fn begins_with_a(text: &str) -> bool {
    const { assert!(size_of::<Regex>() == 0) };
    text.starts_with('a')
}

#[test]
fn a_length_counts_characters_of_texts_and_items_of_lists() {
    assert!(matches!(RULES[0], Rule::Length(rule) if rule.measure == Measure::Characters));
    assert_eq!(<[u8] as HasLength>::MEASURE, Measure::Items);
}

#[test]
fn guards_agree_with_their_rules() {
    let of = |min, max| Length { measure: Measure::Items, min, max };
    assert!(1_u8.guard() && !f64::NAN.guard());
    assert!("日本".length_within(of(2, Some(2))) && !vec![1].length_within(of(2, None)));
    assert!(Some(10_u8).in_range(&UP_TO_TEN) && !0_u8.in_range(&UP_TO_TEN) && None::<u8>.in_range(&UP_TO_TEN));
    assert!(4.5_f64.is_multiple_of(Number::Float(0.5)));
    assert!(!AcceptsMultipleOf::is_multiple_of(&7_u128, Number::Integer(2)));
    assert!("ab".to_owned().matches(begins_with_a) && !AcceptsPattern::matches(&'b', begins_with_a));
    assert!("2025-01-31".to_owned().is_format(StringFormat::Date) && !"soon".to_owned().is_format(StringFormat::Date));
    assert!(Some([1, 2]).is_unique() && ![1, 1].is_unique());
    assert!(BTreeMap::from([("a", 1)]).all_items(|value| *value == 1) && ![1, 2].all_items(|item| *item == 1));
}

#[test]
fn bounds_are_exact_for_every_width() {
    let above = Range { exclusive_min: Some(Number::Float(9_007_199_254_740_992.0)), ..Range::UNBOUNDED };
    assert!(9_007_199_254_740_993_u64.in_range(&above) && !9_007_199_254_740_992_u64.in_range(&above));
    let large = Range { min: Some(Number::Large(u128::MAX)), ..Range::UNBOUNDED };
    assert!(u128::MAX.in_range(&large) && !i128::MAX.in_range(&large));
    let tenth = Range { max: Some(Number::Float(0.1)), ..Range::UNBOUNDED };
    assert!(0.1_f32.in_range(&tenth), "an f32 of 0.1 is within a bound of 0.1");
    assert!(0.3_f32.is_multiple_of(Number::Float(0.1)));
    assert!(u8::MAX.in_range(&Range { max: Some(Number::Float(f64::INFINITY)), ..Range::UNBOUNDED }));
}

#[test]
fn generic_types_have_different_identities() {
    assert!(identity::<Vec<u8>>() == identity::<Vec<u8>>() && identity::<Vec<u8>>() != identity::<Vec<u16>>());
}

#[test]
fn a_custom_rule_runs_on_values_that_decode() -> Result<(), crate::json::SyntaxError> {
    let run = |text| {
        let odd = |number: &u128| {
            if u128::is_multiple_of(*number, 2) { Err(CustomRuleError::new("must be odd")) } else { Ok(()) }
        };
        Json::parse(text).map(|node| run_custom(&node, odd))
    };
    assert_eq!(run("3")?, Ok(()));
    assert_eq!(run("340282366920938463463374607431768211454")?, Err(CustomRuleError::new("must be odd")));
    assert_eq!(run("\"three\"")?, Ok(()), "a value that does not decode has other issues");
    Ok(())
}

#[test]
fn foreign_omits_the_dialect_of_the_schema() {
    let schema = foreign::<Vec<u8>>();
    assert_eq!(schema.get("type").and_then(|value| value.as_str()), Some("array"));
    assert!(schema.get("$schema").is_none());
}
