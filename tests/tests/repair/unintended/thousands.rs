//! Numbers with separators between groups of digits.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::json;
use tests::private::repair::coerce;
use tool_runtime::{RepairPolicy, ToolInput};
use tool_schema::json::Json;
use tool_schema::shape::Shape;

use super::{ran, session};

fn is_accepted(shape: &Shape, sent: &str) -> bool {
    let sent = Json::parse(sent).expect("it is JSON").into_owned();
    coerce(shape, sent, RepairPolicy::Assisted).issues.is_empty()
}

#[test]
fn a_grouped_text_is_not_an_integer_anywhere() {
    for text in
        ["1.000", "10.000", "-1.000", "1.000.000", "1,000", "1,000,000", "1.000 ", "123.456", "1_000", "1'000", "1 000"]
    {
        let text = json!(text).to_string();
        let twice = json!(text).to_string();
        assert!(!is_accepted(i64::SHAPE, &text), "{text}");
        assert!(!is_accepted(i64::SHAPE, &twice), "{text}");
        assert!(!is_accepted(<Option<u32>>::SHAPE, &text), "{text}");
        assert!(!is_accepted(<Vec<i64>>::SHAPE, &text), "{text}");
        assert!(!is_accepted(<Vec<i64>>::SHAPE, &format!("[{text}]")), "{text}");
        assert!(!is_accepted(<BTreeMap<String, i64>>::SHAPE, &format!("{{\"a\": {text}}}")), "{text}");
    }
}

#[test]
fn a_text_with_one_decimal_point_is_a_number() {
    for (sent, expected) in [(r#""4.0""#, "4"), (r#""42.00""#, "42"), (r#""1e3""#, "1000"), ("1.000", "1")] {
        let read = coerce(i64::SHAPE, Json::parse(sent).expect("it is JSON").into_owned(), RepairPolicy::Lossless);
        assert_eq!((read.value.to_text().as_str(), read.issues.len()), (expected, 0), "{sent}");
    }
    assert!(is_accepted(f64::SHAPE, r#""1.5""#) && is_accepted(f64::SHAPE, r#""1.000""#));
    assert!(!is_accepted(f64::SHAPE, r#""1,000""#) && !is_accepted(f64::SHAPE, r#""1.000.000""#));
}

#[test]
fn a_schema_at_run_time_has_the_same_rule() {
    let schema = json!({"type": "object", "properties": {"n": {"type": ["integer", "null"]}, "f": {"type": "number"},
        "step": {"type": "number", "multipleOf": 1}, "size": {"enum": [1, 10, 1000]}, "sizes": {"type": "array", "items": {"enum": [1, 1000]}},
        "either": {"anyOf": [{"const": 1}, {"const": 1000}]}, "both": {"type": "integer", "enum": [1, 1000]}}});
    let session = session("fetch", &schema, RepairPolicy::Assisted);
    assert_eq!(ran(&session, "fetch", r#"{"n": "5.000"}"#), None);
    for text in ["1.000", " 1.000 ", "\\\"1.000\\\"", "10.000"] {
        for key in ["size", "either", "both", "step"] {
            assert_eq!(ran(&session, "fetch", &format!("{{\"{key}\": \"{text}\"}}")), None, "{key} {text}");
        }
        assert_eq!(ran(&session, "fetch", &format!("{{\"sizes\": [\"{text}\"]}}")), None, "{text}");
    }
    assert_eq!(ran(&session, "fetch", r#"{"size": "1000", "either": "1"}"#), Some(json!({"size": 1000, "either": 1})));
    let read = ran(&session, "fetch", r#"{"step": "1e3", "f": "1.000"}"#).expect("both are numbers");
    assert_eq!((read["step"].as_f64(), read["f"].as_f64()), (Some(1e3), Some(1.0)));
    assert_eq!(ran(&session, "fetch", r#"{"n": "5.0", "f": "1.5"}"#), Some(json!({"n": 5, "f": 1.5})));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: tests::cases(512), ..ProptestConfig::default() })]

    #[test]
    fn no_text_with_groups_of_three_digits_becomes_an_integer(text in "[+-]?[0-9]{1,3}([.,][0-9]{3}){1,4}") {
        prop_assert!(!is_accepted(i128::SHAPE, &json!(text).to_string()));
    }
}
