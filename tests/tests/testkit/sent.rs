//! Raw arguments: empty, not JSON, not an object, with repeated keys.

use serde_json::json;
use tool_testkit::{any, calls, calls_typed};

use crate::testkit::kit::{GetTimeTool, GetWeatherTool, held};

fn wrong(words: &str) -> String {
    format!("Function 'book' was called with incorrect parameters. {words}")
}

#[test]
fn arguments_that_are_not_json_match_only_an_expected_name() {
    let broken = held(&[("book", r#"{"a": "#)]);
    broken.passes(calls("book"));
    broken.fails(calls("book").at("a", any()), &wrong("Expected parameter 'a' to be there, but was absent."));
    broken.fails(
        calls("book").arguments_include(json!({"a": 1})),
        &wrong("Expected the parameters to include {\"a\":1}, but they were {\"a\": ."),
    );
}

#[test]
fn empty_arguments_are_an_empty_object() {
    held(&[("get_time", "")]).passes(calls("get_time").with_exactly(json!({})));
}

#[test]
fn arguments_that_are_not_json_match_no_type() {
    held(&[("get_time", r#"{"a": "#)]).fails(
        calls_typed::<GetTimeTool>(|_| true),
        "Function 'get_time' was called with incorrect parameters. Expected the parameters to satisfy the condition of the test, \
         but they were {\"a\": .",
    );
    held(&[("get_time", "")]).passes(calls_typed::<GetTimeTool>(|_| true));
    let repaired = ("get_weather", r#"{"location": "Paris", "days": "3"}"#);
    held(&[repaired]).passes(calls_typed::<GetWeatherTool>(|arguments| arguments.days == Some(3)));
}

#[test]
fn and_no_others_requires_arguments_that_are_an_object() {
    for arguments in [r#"{"a": "#, "[1]"] {
        held(&[("book", arguments)]).fails(
            calls("book").and_no_others(),
            &wrong(&format!("Expected the parameters to be an object, but they were {arguments}.")),
        );
    }
    held(&[("book", "{}")]).passes(calls("book").and_no_others());
}

#[test]
fn the_last_of_repeated_keys_counts() {
    let twice = held(&[("book", r#"{"b": 1, "a": 1, "b": 2, "c": 3}"#)]);
    twice.passes(calls("book").with_exactly(json!({"a": 1, "b": 2, "c": 3})));
    twice.passes(calls("book").at("b", 2));
    twice.fails(calls("book").arguments_include(json!({"b": 1})), &wrong("Expected parameter 'b' to be 1, but was 2."));
    twice.fails(
        calls("book").arguments_include(json!({"bb": 1})),
        &wrong("Expected parameter 'bb' to be 1, but was absent."),
    );
}
