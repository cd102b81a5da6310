//! What is expected of the conversation as a whole.

use std::time::Duration;

use tool_runtime::failure::ThrottleRule;
use tool_runtime::testkit::{expands, no_calls, no_failures, takes_at_most, throttled, uses_at_most};

use crate::kit::{PARIS, TIME, held};

#[test]
fn every_call_has_a_result() {
    held(&[PARIS, TIME]).passes(no_failures());
    let sentences = held(&[("get_weather", "{}"), TIME, ("invented", "{}")]).sentences(no_failures());
    assert_eq!(
        sentences,
        [
            "Expected no failures, but 'get_weather' was called and it failed with invalid_call (validation_error).",
            "Expected no failures, but 'invented' was called and it failed with invalid_call (unknown_tool).",
        ],
    );
}

#[test]
fn nothing_is_called() {
    held(&[]).passes(no_calls());
    held(&[TIME, PARIS])
        .fails(no_calls(), "Expected no function calls, but these functions were called: 'get_time', 'get_weather'.");
}

#[test]
fn a_container_is_expanded() {
    held(&[("Math", "")]).passes(expands("Math"));
    let not = "Expected container 'Math' to be expanded, but it was not.";
    held(&[TIME]).fails(expands("Math"), not);
    held(&[("Math", r#"{"a": 1}"#)]).fails(expands("Math"), not);
}

#[test]
fn nothing_is_throttled() {
    held(&[PARIS]).fails(
        throttled(ThrottleRule::UnknownTools),
        "Expected a call to be throttled by unknown_tools, but none was.",
    );
}

#[test]
fn time_has_a_limit() {
    held(&[]).spent(10, 3).passes(takes_at_most(Duration::from_secs(3)));
    held(&[])
        .spent(10, 3)
        .fails(takes_at_most(Duration::from_secs(2)), "Expected it to take at most 2s, but it took 3s.");
}

#[test]
fn tokens_have_a_limit() {
    held(&[]).spent(10, 3).passes(uses_at_most(10));
    held(&[]).spent(10, 3).fails(uses_at_most(9), "Expected it to use at most 9 tokens, but it used 10.");
}
