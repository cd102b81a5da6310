//! Values that are never repaired, because information would be lost or the value is ambiguous.

use std::collections::BTreeMap;

use serde::Deserialize;
use tool_runtime::RepairPolicy;
use tool_runtime::ToolInput;

use crate::repair::coerce::{coerced, left};

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
#[tool(ignore_unknown)]
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
fn a_text_that_only_resembles_a_value_is_not_repaired() {
    for text in
        ["123 Main St", "5kg", "5,0", "1/6", "05", "+5", "0x5", "5 6", "five", "", " ", "1_000", "٥", "NaN", "5."]
    {
        left(u8::SHAPE, &format!("{text:?}"));
        left(f64::SHAPE, &format!("{text:?}"));
    }
    for text in ["yes", "no", "2", "01", "truE", "t", "on"] {
        left(bool::SHAPE, &format!("{text:?}"));
    }
    left(bool::SHAPE, "2");
    left(<Vec<u8>>::SHAPE, r#""1, 2""#);
    left(<Vec<u8>>::SHAPE, r#""[1, 2""#);
    left(<Vec<u8>>::SHAPE, r#""[1, 2] and more""#);
    left(<BTreeMap<String, u8>>::SHAPE, r#""a: 1""#);
}

#[test]
fn numbers_are_not_rounded() {
    for text in
        ["5.5", "0.1", "1e-3", "5.0000000000000000000000000001", "1e400", "340282366920938463463374607431768211456.0"]
    {
        left(i128::SHAPE, text);
        left(i128::SHAPE, &format!("{text:?}"));
    }
}

#[test]
fn a_valid_string_is_not_changed() {
    for text in [r#""5""#, r#""[1]""#, r#""null""#, r#""true""#, "\"\\\"a\\\"\""] {
        let coerced = coerced(TextOr::SHAPE, text, RepairPolicy::Assisted);
        assert_eq!((coerced.value.to_text().as_str(), coerced.repairs.len()), (text, 0));
    }
    crate::repair::coerce::read(<Vec<TextOr>>::SHAPE, r#""5""#, r#"["5"]"#, &[("$", "single_item")]);
    // It may be the text itself or the quoted text.
    left(<Vec<String>>::SHAPE, r#""\"a\"""#);
    // Breaking a rule does not change the type of a value.
    left(Day::SHAPE, r#"{"day": "5"}"#);
    left(Two::SHAPE, r#"{"first": 5, "second": 1}"#);
    left(<Vec<String>>::SHAPE, "[1, true]");
}

#[test]
fn a_value_that_matches_several_variants_is_not_changed() {
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
fn required_fields_are_not_left_out() {
    left(Two::SHAPE, r#"{"second": null}"#);
    left(Two::SHAPE, r#"{"second": ""}"#);
    left(<Vec<u8>>::SHAPE, "null");
    left(<Vec<u8>>::SHAPE, "[null]");
    left(<Vec<String>>::SHAPE, "null");
    left(<(u8, u8)>::SHAPE, "5");
}

#[test]
fn a_repeated_key_is_not_changed() {
    left(Two::SHAPE, r#"{"second": "1", "second": "2"}"#);
    left(<BTreeMap<String, u8>>::SHAPE, r#"{"a": "1", "a": 2}"#);
}

#[test]
fn keys_are_only_renamed_on_request() {
    left(Two::SHAPE, r#"{"Second": 1}"#);
}

#[test]
fn remaining_issues_describe_the_repaired_value() {
    let coerced = coerced(u8::SHAPE, r#""300""#, RepairPolicy::Lossless);
    assert_eq!(coerced.value.to_text(), "300");
    assert_eq!(coerced.issues[0].message(), "the arguments must be at most 255");
    assert_eq!(coerced.sent[0].constraint.keyword(), "type");
}
