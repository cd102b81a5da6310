//! Expectations about the whole conversation.

use std::time::Duration;

use tool_runtime::clock::SimulatedClock;
use tool_runtime::container::{ExpansionSettings, UnexpandedCallPolicy};
use tool_runtime::failure::ThrottleRule;
use tool_testkit::{
    calls, expands, no_calls, no_failures, output_tokens_at_most, throttled, total_time_at_most, total_tokens_at_most,
};

use crate::testkit::kit::{PARIS, TIME, held, held_over, tools};

#[test]
fn the_success_of_all_calls_can_be_expected() {
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
fn no_calls_can_be_expected() {
    held(&[]).passes(no_calls());
    held(&[TIME, PARIS])
        .fails(no_calls(), "Expected no function calls, but these functions were called: 'get_time', 'get_weather'.");
}

#[test]
fn an_expansion_can_be_expected() {
    held(&[("Math", "")]).passes(expands("Math"));
    let not = "Expected container 'Math' to be expanded, but it was not.";
    held(&[TIME]).fails(expands("Math"), not);
    held(&[("Math", r#"{"a": 1}"#)]).fails(expands("Math"), not);
}

#[test]
fn an_expansion_for_a_member_counts() {
    let add = ("add", r#"{"a": 1, "b": 2}"#);
    let running = held_over(
        tools().expansion(ExpansionSettings::new().unexpanded_call_policy(UnexpandedCallPolicy::ExpandAndRun)),
        &[add],
    );
    running.passes(expands("Math"));
    running.passes(calls("add").returns(3.0));
    running.fails(expands("add"), "Expected container 'add' to be expanded, but it was not.");
    let rejecting = held_over(
        tools().expansion(ExpansionSettings::new().unexpanded_call_policy(UnexpandedCallPolicy::Reject)),
        &[add],
    );
    rejecting.fails(expands("Math"), "Expected container 'Math' to be expanded, but it was not.");
    // A repaired value is no expansion.
    held(&[("get_weather", r#"{"location": "Paris", "days": "3"}"#)])
        .fails(expands("3"), "Expected container '3' to be expanded, but it was not.");
}

#[test]
fn throttling_can_be_expected() {
    let circling = held_over(tools().clock(SimulatedClock::new()), &[TIME; 4]);
    circling.passes(throttled(ThrottleRule::IdenticalCall));
    circling.passes(calls("get_time").throttled(ThrottleRule::IdenticalCall).times(1));
    circling.fails(
        throttled(ThrottleRule::SameToolRate),
        "Expected a call to be throttled by same_tool_rate, but none was.",
    );
    circling.fails(
        calls("get_time").throttled(ThrottleRule::SameToolRate).times(1),
        "Function 'get_time' was called, but not as expected. \
         Expected it to be throttled by same_tool_rate, but it succeeded.",
    );
    circling.fails(
        no_failures(),
        "Expected no failures, but 'get_time' was called and it was throttled by identical_call.",
    );
    held_over(tools().clock(SimulatedClock::new()), &[TIME; 3]).passes(no_failures());
}

#[test]
fn no_throttling_can_be_expected() {
    held(&[PARIS]).fails(
        throttled(ThrottleRule::UnknownTools),
        "Expected a call to be throttled by unknown_tools, but none was.",
    );
}

#[test]
fn a_time_limit_can_be_expected() {
    held(&[]).spent(10, 3).passes(total_time_at_most(Duration::from_secs(3)));
    held(&[])
        .spent(10, 3)
        .fails(total_time_at_most(Duration::from_secs(2)), "Expected it to take at most 2s, but it took 3s.");
}

#[test]
fn a_token_limit_can_be_expected() {
    held(&[]).spent(10, 3).passes(total_tokens_at_most(10));
    held(&[]).spent(10, 3).fails(total_tokens_at_most(9), "Expected it to use at most 9 tokens, but it used 10.");
    // The tokens of all answers count.
    held(&[]).spent(10, 3).spent(5, 1).passes(total_tokens_at_most(15));
    held(&[])
        .spent(10, 3)
        .spent(5, 1)
        .fails(output_tokens_at_most(1), "Expected the model to write at most 1 token, but it wrote 2.");
    held(&[]).spent(10, 3).passes(output_tokens_at_most(1));
    held(&[])
        .spent(10, 3)
        .fails(output_tokens_at_most(0), "Expected the model to write at most 0 tokens, but it wrote 1.");
}
