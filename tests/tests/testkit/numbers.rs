//! Numbers are equal if their values are, however they are written.

use serde_json::json;
use tool_testkit::{Matcher, approx, calls, contains, equals, one_of};

use crate::testkit::kit::held;

#[track_caller]
fn check(sent: &str, matcher: impl Into<Matcher>, is_same: bool) {
    let held = held(&[("n", &format!(r#"{{"v": {sent}}}"#))]);
    assert_eq!(held.sentences(calls("n").at("v", matcher)).is_empty(), is_same, "{sent}");
}

#[test]
fn forms_of_a_number_are_equal() {
    for sent in ["1", "1.0", "1e0", "10e-1", "0.1E1"] {
        check(sent, 1, true);
        check(sent, 1.0, true);
        check(sent, 1_u8, true);
        check(sent, one_of([2, 1]), true);
        check(sent, 2, false);
    }
    for sent in ["0", "-0", "0.0", "-0.0", "0e9"] {
        check(sent, 0, true);
        check(sent, -0.0, true);
    }
    check("\"1\"", 1, false);
    check("true", 1, false);
}

#[test]
fn large_integers_are_exact() {
    check("18446744073709551615", u64::MAX, true);
    check("18446744073709551616", u64::MAX, false);
    check("18446744073709551614", u64::MAX, false);
    check("-9223372036854775808", i64::MIN, true);
    check("9007199254740993", 9_007_199_254_740_992_i64, false);
    check("1e400", 1, false);
}

#[test]
fn a_float_of_a_test_is_compared_as_a_float() {
    check("18446744073709551616", 18_446_744_073_709_551_616.0, true);
    check("[18446744073709551616]", equals(json!([18_446_744_073_709_551_616.0])), true);
    check("0.30000000000000001", 0.3, true);
    check("0.3", 0.1 + 0.2, false);
    check("0.25", 0.5, false);
}

#[test]
fn tolerances_are_decimal() {
    check("1.0", approx(1.1, 0.1), true);
    check("1.2", approx(1.1, 0.1), true);
    check("100000.1", approx(100_000.0, 0.1), true);
    check("0.99999", approx(1.1, 0.1), false);
    check("1.20001", approx(1.1, 0.1), false);
    check("1e400", approx(1.0, 1.0), false);
    check("-1", approx(1.0, 1.0), false);
}

#[test]
fn plain_values_in_lists_are_matchers() {
    check("[1, 2.0]", [1, 2], true);
    check("[1, 2.0]", vec!["1", "2"], false);
    check("[2, 1]", [1, 2], false);
    check("[[1]]", contains([1]), true);
    check("[{\"a\": 1.0}]", contains(json!({"a": 1})), true);
    check("[{\"a\": 1.0, \"b\": 2}]", contains(json!({"a": 1})), false);
    check("[{\"a\": 1.0}]", contains(json!({"a": 1, "b": 2})), false);
    check("[{\"a\": 1.0}]", contains(json!({"b": 1})), false);
    check("[null]", contains(json!(null)), true);
    check("[false]", contains(false), true);
    check("[false]", contains(true), false);
    check("[[1, 2]]", contains([1]), false);
    check("[[1, 2]]", contains([1, 3]), false);
}
