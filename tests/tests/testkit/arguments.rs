//! Conditions on arguments: exact values, parts, paths, matchers, types.

use serde_json::json;
use tool_schema::json::JsonType;
use tool_testkit::{
    Matcher, any, approx, calls, calls_typed, contains, equals, includes, of_type, one_of, regex, satisfying,
};

use crate::testkit::kit::{GetWeatherTool, Held, PARIS, held};

const BOOK: &str =
    r#"{"order": {"items": [{"name": "ink", "price": 2.5}, {"name": "pen", "price": 4}], "paid": true}, "note": null}"#;

fn book() -> Held {
    // The tool is unknown, so any arguments may be sent.
    held(&[("book", BOOK)])
}

fn wrong(words: &str) -> String {
    format!("Function 'book' was called with incorrect parameters. {words}")
}

#[track_caller]
fn passes(path: &str, matcher: impl Into<Matcher>) {
    book().passes(calls("book").at(path, matcher));
}

#[track_caller]
fn fails(path: &str, matcher: impl Into<Matcher>, words: &str) {
    book().fails(calls("book").at(path, matcher), &wrong(words));
}

#[test]
fn the_debug_output_of_a_matcher_is_its_description() {
    assert_eq!(format!("{:?}", contains("Par")), "Matcher(to contain \"Par\")");
}

#[test]
fn wrong_arguments_are_reported_with_the_sentence_of_the_contract() {
    held(&[("get_weather", r#"{"location": "Paris", "units": "kelvin"}"#)]).fails(
        calls("get_weather").arguments_include(json!({"location": "Paris", "units": "celsius"})),
        "Function 'get_weather' was called with incorrect parameters. \
         Expected parameter 'units' to be \"celsius\", but was \"kelvin\".",
    );
}

#[test]
fn the_report_shows_the_difference() {
    let report =
        held(&[PARIS]).report([calls("get_weather").arguments_include(json!({"units": "kelvin", "days": 2})).into()]);
    assert_eq!(
        report.to_string(),
        "1 difference from 1 expectation\n\n\
         1. Function 'get_weather' was called with incorrect parameters. Expected parameter 'days' to be 2, but was absent. \
         Expected parameter 'units' to be \"kelvin\", but was \"celsius\".\n   \
            nearest call: turn 1, step 1: get_weather({\"location\":\"Paris\",\"units\":\"celsius\"})\n     \
              days\n       - 2\n       + absent\n     \
              units\n       - \"kelvin\"\n       + \"celsius\"\n\n\
         Calls that were made:\n  \
           turn 1, step 1: get_weather({\"location\":\"Paris\",\"units\":\"celsius\"}) ok",
    );
}

#[test]
fn paths_select_arguments() {
    passes("order.items[1].name", "pen");
    passes("/order/items/1/name", "pen");
    fails("order.items[1].name", "ink", "Expected parameter 'order.items[1].name' to be \"ink\", but was \"pen\".");
    fails("order.items[2].name", "ink", "Expected parameter 'order.items[2].name' to be \"ink\", but was absent.");
}

#[test]
fn numbers_are_compared_by_their_value() {
    passes("order.items[1].price", 4);
    passes("order.items[1].price", 4.0);
    fails("order.items[1].price", 5, "Expected parameter 'order.items[1].price' to be 5, but was 4.");
}

#[test]
fn plain_values_are_matchers() {
    passes("order.paid", true);
    passes("note", json!(null));
    fails("order.paid", false, "Expected parameter 'order.paid' to be false, but was true.");
    fails("note", "x", "Expected parameter 'note' to be \"x\", but was null.");
}

#[test]
fn exact_values_allow_no_other_members() {
    passes("order.items[0]", equals(json!({"price": 2.5, "name": "ink"})));
    fails(
        "order.items[0]",
        equals(json!({"name": "ink"})),
        "Expected parameter 'order.items[0].price' to be absent, but was 2.5.",
    );
    fails(
        "order.items",
        equals(json!([{"name": "ink", "price": 2.5}, {"name": "pad", "price": 4}])),
        "Expected parameter 'order.items[1].name' to be \"pad\", but was \"pen\".",
    );
    fails(
        "order.items",
        equals(json!([])),
        "Expected parameter 'order.items' to be [], but was [{\"name\":\"ink\",\"price\":2.5},{\"name\":\"pen\",\"price\":4}].",
    );
}

#[test]
fn partial_objects_ignore_other_members() {
    passes("order", includes(json!({"paid": true})));
    passes("order", includes(json!({"items": [{"name": "ink"}, {"name": "pen"}]})));
    fails(
        "order",
        includes(json!({"paid": false, "sent": 1})),
        "Expected parameter 'order.paid' to be false, but was true. Expected parameter 'order.sent' to be 1, but was absent.",
    );
    fails("note", includes(json!({"a": 1})), "Expected parameter 'note' to be {\"a\":1}, but was null.");
}

#[test]
fn contains_searches_texts_and_arrays() {
    passes("order.items[1].name", contains("en"));
    passes("order.items", contains(json!({"name": "ink", "price": 2.50})));
    fails(
        "order.items[1].name",
        contains("in"),
        "Expected parameter 'order.items[1].name' to contain \"in\", but was \"pen\".",
    );
    fails("order.paid", contains(true), "Expected parameter 'order.paid' to contain true, but was true.");
}

#[test]
fn regex_searches_texts() {
    passes("order.items[1].name", regex("^p.n$"));
    fails(
        "order.items[1].name",
        regex("^n"),
        "Expected parameter 'order.items[1].name' to match /^n/, but was \"pen\".",
    );
    fails("order.items[1].price", regex("4"), "Expected parameter 'order.items[1].price' to match /4/, but was 4.");
}

#[test]
fn one_of_accepts_any_of_its_values() {
    passes("order.items[1].price", one_of([3.0, 4.0]));
    fails(
        "order.items[1].name",
        one_of(["ink", "pad"]),
        "Expected parameter 'order.items[1].name' to be one of \"ink\", \"pad\", but was \"pen\".",
    );
}

#[test]
fn approx_accepts_values_within_the_tolerance_on_both_sides() {
    passes("order.items[0].price", approx(2.25, 0.25));
    passes("order.items[0].price", approx(2.75, 0.25));
    fails(
        "order.items[0].price",
        approx(2.0, 0.25),
        "Expected parameter 'order.items[0].price' to be 2 ± 0.25, but was 2.5.",
    );
    fails(
        "order.items[0].price",
        approx(3.0, 0.25),
        "Expected parameter 'order.items[0].price' to be 3 ± 0.25, but was 2.5.",
    );
    fails("note", approx(3.0, 0.25), "Expected parameter 'note' to be 3 ± 0.25, but was null.");
}

#[test]
fn any_accepts_every_present_value() {
    passes("note", any());
    fails("notes", any(), "Expected parameter 'notes' to be there, but was absent.");
}

#[test]
fn types_are_those_of_json_schema() {
    passes("order.items[1].price", of_type(JsonType::Integer));
    passes("order.items[1].price", of_type(JsonType::Number));
    passes("order.items[0].price", of_type(JsonType::Number));
    passes("order", of_type(JsonType::Object));
    fails(
        "order.items[0].price",
        of_type(JsonType::Integer),
        "Expected parameter 'order.items[0].price' to be of type integer, but was 2.5.",
    );
    fails(
        "order.paid",
        of_type(JsonType::Number),
        "Expected parameter 'order.paid' to be of type number, but was true.",
    );
}

#[test]
fn a_condition_is_reported_with_its_description() {
    let short = || satisfying("a short text", |value| value.as_str().is_some_and(|text| text.len() < 4));
    passes("order.items[0].name", short());
    fails("note", short(), "Expected parameter 'note' to be a short text, but was null.");
}

#[test]
fn other_parameters_are_allowed_unless_excluded() {
    book().passes(calls("book").at("note", json!(null)));
    book().passes(calls("book").at("note", json!(null)).at("order", any()).and_no_others());
    book().passes(
        calls("book").at("note", json!(null)).arguments_include(json!({"order": {"paid": true}})).and_no_others(),
    );
    book().fails(
        calls("book").at("order.paid", true).and_no_others(),
        &wrong("Expected parameter 'note' to be absent, but was null."),
    );
    let whole = json!({"location": "Paris", "units": "celsius"});
    held(&[PARIS]).passes(calls("get_weather").with_exactly(whole));
    held(&[PARIS]).fails(
        calls("get_weather").with_exactly(json!({"location": "Paris"})),
        "Function 'get_weather' was called with incorrect parameters. \
         Expected parameter 'units' to be absent, but was \"celsius\".",
    );
}

#[test]
fn a_repaired_call_is_compared_by_its_repaired_arguments() {
    held(&[("get_weather", r#"{"location": "Paris", "days": "3"}"#)]).passes(calls("get_weather").at("days", 3));
}

#[test]
fn typed_conditions_see_the_arguments_of_the_tool() {
    held(&[PARIS]).passes(calls_typed::<GetWeatherTool>(|arguments| arguments.location == "Paris"));
    held(&[PARIS]).fails(
        calls_typed::<GetWeatherTool>(|arguments| arguments.days == Some(3)),
        "Function 'get_weather' was called with incorrect parameters. Expected the parameters to satisfy the condition of the test, \
         but they were {\"location\":\"Paris\",\"units\":\"celsius\"}.",
    );
    held(&[("get_weather", "{}")]).fails(
        calls_typed::<GetWeatherTool>(|_| true),
        "Function 'get_weather' was called with incorrect parameters. Expected the parameters to satisfy the condition of the test, \
         but they were {}.",
    );
    held(&[PARIS]).fails(
        calls_typed::<GetWeatherTool>(|_| true).with_tool_name("weather"),
        "Expected function 'weather' to be called, but only these functions were called: 'get_weather'.",
    );
}

#[test]
fn and_no_others_means_the_same_in_any_position() {
    held(&[PARIS]).passes(calls("get_weather").and_no_others().at("location", "Paris").at("units", "celsius"));
    held(&[PARIS]).fails(
        calls("get_weather").and_no_others().at("location", "Paris"),
        "Function 'get_weather' was called with incorrect parameters. Expected parameter 'units' to be absent, but was \"celsius\".",
    );
}

#[test]
fn long_values_are_cut() {
    let long = format!(r#"{{"text": "{}"}}"#, "x".repeat(500));
    let sentences = held(&[("book", &long)]).sentences(calls("book").at("text", "y"));
    assert!(sentences[0].len() < 400 && sentences[0].ends_with("…."), "{sentences:?}");
}
