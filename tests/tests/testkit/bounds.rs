//! Large inputs: the work and the report are bounded.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tool_testkit::{CallExpectation, calls, calls_in_any_order, calls_in_order, exactly, no_failures, only_calls};

use crate::testkit::kit::{Held, held, tools};

/// Returns an object with this number of members.
fn wide(members: usize) -> String {
    let mut text = String::from("{");
    for member in 0..members {
        let _ = write!(text, "{}\"k{member:05}\": {member}", if member > 0 { ", " } else { "" });
    }
    text + "}"
}

#[test]
fn at_most_ten_differences_are_reported() {
    let held = held(&[("book", &wide(5_000)), ("get_weather", &wide(5_000))]);
    for name in ["book", "get_weather"] {
        let report = held.report([calls(name).with_exactly(json!({})).into()]).to_string();
        assert!(report.len() < 5_000, "{}", report.len());
        let sentence = held.sentences(calls(name).and_no_others()).concat();
        assert_eq!(sentence.matches("to be absent").count(), 10);
        assert!(
            sentence.ends_with("Expected parameter 'k00009' to be absent, but was 9. And 4990 more."),
            "{sentence}"
        );
    }
    let wanted: Value = serde_json::from_str(&wide(5_000)).expect("the object is JSON");
    held.passes(calls("book").with_exactly(wanted.clone()));
    held.passes(calls("book").arguments_include(wanted.clone()));
    let sentence = held.sentences(calls("book").at("k00001", wanted).at("k00002", 0)).concat();
    assert!(
        sentence.len() < 1_000 && sentence.ends_with("Expected parameter 'k00002' to be 0, but was 2."),
        "{sentence}"
    );
}

#[test]
fn ten_differences_are_all_reported() {
    let sentence = held(&[("book", &wide(10))]).sentences(calls("book").and_no_others()).concat();
    assert!(sentence.ends_with("but was 9."), "{sentence}");
}

fn hundreds(of: impl Fn(usize) -> CallExpectation) -> Vec<CallExpectation> {
    (0..300).map(of).collect()
}

/// Compares tens of thousands of pairs, and none of them is put into words before the report is read. The work grows with the number of
/// pairs, so a thousand of each would show nothing new.
#[test]
fn hundreds_of_expectations_can_be_compared_with_hundreds_of_calls() {
    let session = tools().no_throttle().build().expect("the tools have different names").session();
    let held = (0..300).fold(Held::over(session), |held, city| {
        held.step(&[("get_weather", &format!(r#"{{"location": "c{city}", "days": 3}}"#))])
    });
    let get = || calls("get_weather");
    let each = hundreds(|city| get().at("location", format!("c{}", 299 - city)));
    held.passes(exactly(each.clone()));
    held.passes(only_calls(each.clone()));
    held.passes(calls_in_any_order(hundreds(|_| get().at("days", 3))));
    assert_eq!(held.sentences(calls_in_order(each)).len(), 1);
    let other = hundreds(|city| get().arguments_include(json!({"location": format!("d{city}"), "days": 4})));
    assert_eq!(held.sentences(calls_in_any_order(other.clone())).len(), 300);
    assert_eq!(held.sentences(only_calls(other)).len(), 21);
    // Twice as many as there are calls; the missing ones are reported once.
    let twice = (0..600).map(|_| get().at("days", 3));
    assert_eq!(
        held.sentences(calls_in_any_order(twice)),
        ["Expected function 'get_weather' to be called 600 times in this way, but it was called 300 times."],
    );
}

#[test]
fn at_most_twenty_wrong_calls_are_reported() {
    let failed = |calls: usize| {
        let no_one = vec![("nobody", "{}"); calls];
        held(&no_one).sentences(no_failures())
    };
    assert_eq!(failed(20).len(), 20);
    assert_eq!(failed(23).len(), 21);
    assert_eq!(failed(23)[20], "And 3 more calls are not as expected.");
    let left = held(&vec![("nobody", "{}"); 30]).sentences(exactly([calls("nobody").times(2)]));
    assert_eq!(left.len(), 21);
    assert_eq!(left[20], "And 8 more calls are not as expected.");
}
