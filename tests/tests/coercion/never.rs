//! What is never read otherwise, because it loses something or might have been meant another way.

use std::collections::BTreeMap;

use serde::Deserialize;
use tool_runtime::RepairPolicy;
use tool_runtime::ToolInput;

use crate::{coerced, left};

#[derive(Deserialize, ToolInput)]
#[allow(dead_code)]
enum Clashing {
    #[serde(rename = "a-b")]
    First,
    #[serde(rename = "a_b")]
    Second,
    #[serde(rename = "-5")]
    Negative,
    #[serde(rename = "1.5")]
    Fraction,
}

#[derive(Deserialize, ToolInput)]
#[allow(dead_code)]
#[serde(untagged)]
#[tool(undocumented)]
enum Several {
    Small(u8),
    Large(u64),
    List(Vec<bool>),
}

#[derive(Deserialize, ToolInput)]
#[allow(dead_code)]
#[serde(untagged)]
#[tool(undocumented)]
enum TextOr {
    Text(String),
    Number(u8),
    Day(Day),
}

#[derive(Deserialize, ToolInput)]
#[allow(dead_code)]
#[tool(undocumented)]
struct Day {
    #[tool(format = "date")]
    day: String,
}

#[derive(Deserialize, ToolInput)]
#[allow(dead_code)]
#[serde(deny_unknown_fields)]
#[tool(undocumented)]
struct Two {
    first: Option<String>,
    second: u8,
}

#[test]
fn a_part_of_a_text_is_no_value() {
    for text in
        ["123 Main St", "5kg", "5,0", "1/6", "05", "+5", "0x5", "5 6", "five", "", " ", "1_000", "٥", "NaN", "5."]
    {
        left(u8::SHAPE, &format!("{text:?}"));
        left(f64::SHAPE, &format!("{text:?}"));
    }
    for text in ["yes", "no", "1", "0", "truE", "t", "on"] {
        left(bool::SHAPE, &format!("{text:?}"));
    }
    left(bool::SHAPE, "1");
    left(<Vec<u8>>::SHAPE, r#""1, 2""#);
    left(<Vec<u8>>::SHAPE, r#""[1, 2""#);
    left(<Vec<u8>>::SHAPE, r#""[1, 2] and more""#);
    left(<BTreeMap<String, u8>>::SHAPE, r#""a: 1""#);
}

#[test]
fn no_number_is_rounded() {
    for text in
        ["5.5", "0.1", "1e-3", "5.0000000000000000000000000001", "1e400", "340282366920938463463374607431768211456.0"]
    {
        left(i128::SHAPE, text);
        left(i128::SHAPE, &format!("{text:?}"));
    }
}

#[test]
fn a_string_stays_where_a_string_is_allowed() {
    for text in [r#""5""#, r#""[1]""#, r#""null""#, r#""true""#, "\"\\\"a\\\"\""] {
        let coerced = coerced(TextOr::SHAPE, text, RepairPolicy::Assisted);
        assert_eq!((coerced.value.to_text().as_str(), coerced.repairs.len()), (text, 0));
    }
    crate::read(<Vec<TextOr>>::SHAPE, r#""5""#, r#"["5"]"#, &[("$", "single_item")]);
    // It may be the text or what it quotes.
    left(<Vec<String>>::SHAPE, r#""\"a\"""#);
    // A rule that it breaks does not make it something else.
    left(Day::SHAPE, r#"{"day": "5"}"#);
    left(Two::SHAPE, r#"{"first": 5, "second": 1}"#);
    left(<Vec<String>>::SHAPE, "[1, true]");
}

#[test]
fn what_several_values_or_variants_fit_is_not_decided() {
    left(Clashing::SHAPE, r#""A b""#);
    left(Clashing::SHAPE, r#""5""#);
    left(Clashing::SHAPE, "5");
    left(Clashing::SHAPE, r#""15""#);
    left(Several::SHAPE, r#""5""#);
    left(Several::SHAPE, r#""500x""#);
    // An array in an array could be one of the inner arrays.
    left(<Vec<Vec<u8>>>::SHAPE, "[1, 2]");
    left(<Vec<Vec<u8>>>::SHAPE, "5");
}

#[test]
fn what_is_required_is_not_left_out() {
    left(Two::SHAPE, r#"{"second": null}"#);
    left(Two::SHAPE, r#"{"second": ""}"#);
    left(<Vec<u8>>::SHAPE, "null");
    left(<Vec<u8>>::SHAPE, "[null]");
    left(<Vec<String>>::SHAPE, "null");
    left(<(u8, u8)>::SHAPE, "5");
}

#[test]
fn a_key_that_is_given_twice_is_not_touched() {
    left(Two::SHAPE, r#"{"second": "1", "second": "2"}"#);
    left(<BTreeMap<String, u8>>::SHAPE, r#"{"a": "1", "a": 2}"#);
}

#[test]
fn keys_are_not_renamed_unless_that_is_asked_for() {
    left(Two::SHAPE, r#"{"Second": 1}"#);
}

#[test]
fn what_is_left_is_said_of_the_value_as_it_is_then() {
    let coerced = coerced(u8::SHAPE, r#""300""#, RepairPolicy::Lossless);
    assert_eq!(coerced.value.to_text(), "300");
    assert_eq!(coerced.issues[0].message(), "the arguments must be at most 255");
    assert_eq!(coerced.sent[0].constraint.keyword(), "type");
}
