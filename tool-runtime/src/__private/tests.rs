//! What generated code relies on, called as generated code calls it.

use std::collections::BTreeMap;

use super::{
    Format, Json, Measure, Range, Regex, Rejection, Rule, foreign, format, guard, guard_format, guard_inner,
    guard_length, guard_multiple_of, guard_pattern, guard_range, guard_unique, identity, inner, length, multiple_of,
    pattern, range, run_custom, unique_items,
};
use crate::json::Number;

const UP_TO_TEN: Range = Range::inclusive(Number::Integer(1), Number::Integer(10));

/// All constructors are `const`, on the type that stands at the place.
const RULES: &[Rule] = const {
    &[
        length::<Option<Box<str>>>(1, Some(3)),
        range::<Option<u8>>(UP_TO_TEN),
        multiple_of::<f32>(Number::Float(0.5)),
        pattern::<String>("^a", begins_with_a),
        format::<String>(Format::Date),
        unique_items::<Vec<String>>(),
        inner::<BTreeMap<String, u8>>(const { &[range::<u8>(UP_TO_TEN)] }),
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
fn a_length_counts_what_the_type_has() {
    assert!(matches!(RULES[0], Rule::Length(rule) if rule.measure == Measure::Characters));
    assert!(matches!(length::<[u8]>(0, None), Rule::Length(rule) if rule.measure == Measure::Items));
}

#[test]
fn guards_give_the_verdict_of_their_rule() {
    assert!(guard(&1_u8) && !guard(&f64::NAN));
    assert!(guard_length("日本", 2, Some(2)) && !guard_length(&vec![1], 2, None));
    assert!(
        guard_range(&Some(10_u8), &UP_TO_TEN)
            && !guard_range(&0_u8, &UP_TO_TEN)
            && guard_range(&None::<u8>, &UP_TO_TEN)
    );
    assert!(guard_multiple_of(&4.5_f64, Number::Float(0.5)) && !guard_multiple_of(&7_u128, Number::Integer(2)));
    assert!(guard_pattern(&"ab".to_owned(), begins_with_a) && !guard_pattern(&'b', begins_with_a));
    assert!(guard_format(&"2025-01-31".to_owned(), Format::Date) && !guard_format(&"soon".to_owned(), Format::Date));
    assert!(guard_unique(&Some([1, 2])) && !guard_unique(&[1, 1]));
    assert!(guard_inner(&BTreeMap::from([("a", 1)]), |value| *value == 1) && !guard_inner(&[1, 2], |item| *item == 1));
}

#[test]
fn bounds_are_exact_for_every_width() {
    let above = Range { exclusive_min: Some(Number::Float(9_007_199_254_740_992.0)), ..Range::UNBOUNDED };
    assert!(guard_range(&9_007_199_254_740_993_u64, &above) && !guard_range(&9_007_199_254_740_992_u64, &above));
    let large = Range { min: Some(Number::Large(u128::MAX)), ..Range::UNBOUNDED };
    assert!(guard_range(&u128::MAX, &large) && !guard_range(&i128::MAX, &large));
    let tenth = Range { max: Some(Number::Float(0.1)), ..Range::UNBOUNDED };
    assert!(guard_range(&0.1_f32, &tenth), "0.1 is 0.1, also where it is an f32");
    assert!(guard_multiple_of(&0.3_f32, Number::Float(0.1)));
    assert!(guard_range(&u8::MAX, &Range { max: Some(Number::Float(f64::INFINITY)), ..Range::UNBOUNDED }));
}

#[test]
fn identities_tell_generic_types_apart() {
    assert!(identity::<Vec<u8>>() == identity::<Vec<u8>>() && identity::<Vec<u8>>() != identity::<Vec<u16>>());
}

#[test]
fn a_custom_rule_runs_on_what_decodes() -> Result<(), crate::json::SyntaxError> {
    let run = |text| {
        let odd = |number: &u128| if number.is_multiple_of(2) { Err(Rejection::new("must be odd")) } else { Ok(()) };
        Json::parse(text).map(|node| run_custom(&node, odd))
    };
    assert_eq!(run("3")?, Ok(()));
    assert_eq!(run("340282366920938463463374607431768211454")?, Err(Rejection::new("must be odd")));
    assert_eq!(run("\"three\"")?, Ok(()), "what does not decode has issues of its own");
    Ok(())
}

#[test]
fn foreign_shows_the_schema_of_the_type_alone() {
    let schema = foreign::<Vec<u8>>();
    assert_eq!(schema.get("type").and_then(|value| value.as_str()), Some("array"));
    assert!(schema.get("$schema").is_none());
}
