//! How calls ended, and what the runtime did about them.

use tool_runtime::failure::{FailureKind, ThrottleRule};
use tool_testkit::{calls, contains};

use crate::kit::{Held, LONDON, PARIS, held, session};

const REFUSED: (&str, &str) = ("get_weather", r#"{"units": "celsius"}"#);
const SLOW: (&str, &str) = ("search", r#"{"query": "slow"}"#);
const FOUND: (&str, &str) = ("search", r#"{"query": "rain"}"#);
/// The cat of a function, without its name.
fn other(name: &str, words: &str) -> String {
    format!("Function '{name}' was called, but not as expected. {words}")
}

#[test]
fn a_call_succeeds() {
    held(&[PARIS]).passes(calls("get_weather").succeeds());
    held(&[REFUSED, PARIS]).passes(calls("get_weather").succeeds());
    held(&[REFUSED]).fails(
        calls("get_weather").succeeds(),
        &other("get_weather", "Expected it to succeed, but it failed with invalid_call (validation_error)."),
    );
}

#[test]
fn a_call_has_a_result() {
    held(&[PARIS]).passes(calls("get_weather").returns(contains("22 °C")));
    held(&[FOUND]).passes(calls("search").returns(contains("rain")));
    held(&[FOUND]).fails(
        calls("search").returns(contains("sun")),
        &other("search", "Expected its result to contain \"sun\", but it was [\"rain\"]."),
    );
    held(&[SLOW]).fails(
        calls("search").returns(contains("sun")),
        &other("search", "Expected it to succeed, but it failed with timeout (timeout)."),
    );
}

#[test]
fn a_call_fails_in_a_way() {
    held(&[SLOW]).passes(calls("search").fails_with(FailureKind::Timeout));
    held(&[SLOW]).fails(
        calls("search").fails_with(FailureKind::RateLimited),
        &other("search", "Expected it to fail with rate_limited, but it failed with timeout (timeout)."),
    );
    held(&[FOUND]).fails(
        calls("search").fails_with(FailureKind::Timeout),
        &other("search", "Expected it to fail with timeout, but it succeeded."),
    );
}

#[test]
fn a_hint_is_about_a_field() {
    held(&[REFUSED]).passes(calls("get_weather").hinted("location"));
    held(&[("get_weather", r#"{"location": "Paris", "units": "rankine"}"#)])
        .passes(calls("get_weather").hinted("units"));
    held(&[REFUSED]).fails(
        calls("get_weather").hinted("units"),
        &other("get_weather", "Expected a hint about 'units', but it was about 'location'."),
    );
    held(&[PARIS]).fails(
        calls("get_weather").hinted("location"),
        &other("get_weather", "Expected a hint about 'location', but there was no hint."),
    );
}

#[test]
fn a_value_is_repaired() {
    let read = held(&[("get_weather", r#"{"location": "Paris", "days": "3"}"#)]);
    read.passes(calls("get_weather").repaired("days"));
    read.fails(
        calls("get_weather").repaired("location"),
        &other("get_weather", "Expected 'location' to be repaired, but only 'days' was."),
    );
    held(&[PARIS]).fails(
        calls("get_weather").repaired("days"),
        &other("get_weather", "Expected 'days' to be repaired, but nothing was."),
    );
}

#[test]
fn a_call_is_not_throttled_by_another_rule() {
    held(&[PARIS]).fails(
        calls("get_weather").throttled(ThrottleRule::IdenticalCall),
        &other("get_weather", "Expected it to be throttled by identical_call, but it succeeded."),
    );
}

#[test]
fn faults_of_both_kinds_are_told_together() {
    held(&[REFUSED]).fails(
        calls("get_weather").succeeds().at("units", "kelvin"),
        "Function 'get_weather' was called with incorrect parameters. \
         Expected it to succeed, but it failed with invalid_call (validation_error). \
         Expected parameter 'units' to be \"kelvin\", but was \"celsius\".",
    );
}

const CORRECTED: &str = "Expected a refused call of function 'get_weather' to be corrected within";

#[test]
fn a_refusal_is_corrected() {
    held(&[REFUSED, PARIS]).passes(calls("get_weather").corrected_within(1));
    held(&[REFUSED, REFUSED, PARIS]).passes(calls("get_weather").corrected_within(2));
    held(&[REFUSED, FOUND, PARIS, REFUSED, PARIS]).passes(calls("get_weather").corrected_within(1));
    held(&[REFUSED, REFUSED, PARIS])
        .fails(calls("get_weather").corrected_within(1), &format!("{CORRECTED} 1 time, but it took 2 times."));
}

#[test]
fn a_refusal_that_is_not_corrected() {
    held(&[PARIS])
        .fails(calls("get_weather").corrected_within(2), &format!("{CORRECTED} 2 times, but no call was refused."));
    held(&[REFUSED])
        .fails(calls("get_weather").corrected_within(2), &format!("{CORRECTED} 2 times, but it was not called again."));
    held(&[REFUSED, REFUSED]).fails(
        calls("get_weather").corrected_within(2),
        &format!("{CORRECTED} 2 times, but 1 more call did not help."),
    );
    held(&[REFUSED, PARIS, REFUSED, REFUSED, REFUSED]).fails(
        calls("get_weather").corrected_within(2),
        &format!("{CORRECTED} 2 times, but 2 more calls did not help."),
    );
}

#[test]
fn a_correction_is_like_what_is_expected() {
    held(&[REFUSED, PARIS]).passes(calls("get_weather").at("location", "Paris").corrected_within(1));
    held(&[REFUSED, LONDON]).fails(
        calls("get_weather").at("location", "Paris").corrected_within(1),
        &format!("{CORRECTED} 1 time, but 1 more call did not help."),
    );
}

#[test]
fn a_call_side_by_side_is_no_answer_to_a_refusal() {
    Held::over(session())
        .step(&[REFUSED, PARIS])
        .fails(calls("get_weather").corrected_within(3), &format!("{CORRECTED} 3 times, but it was not called again."));
    Held::over(session()).step(&[REFUSED, PARIS]).step(&[PARIS]).passes(calls("get_weather").corrected_within(1));
}

#[test]
fn a_failure_that_nobody_can_correct_is_no_refusal() {
    held(&[SLOW, FOUND]).fails(
        calls("search").corrected_within(1),
        "Expected a refused call of function 'search' to be corrected within 1 time, but no call was refused.",
    );
}

const RETRIED: &str = "Expected function 'search' to succeed when it is called again after a failure";

#[test]
fn a_retry_succeeds() {
    held(&[SLOW, FOUND]).passes(calls("search").succeeds_on_retry());
    held(&[SLOW, SLOW, FOUND]).fails(calls("search").succeeds_on_retry(), &format!("{RETRIED}, but it took 2 times."));
    held(&[SLOW, SLOW])
        .fails(calls("search").succeeds_on_retry(), &format!("{RETRIED}, but 1 more call did not help."));
    held(&[SLOW]).fails(calls("search").succeeds_on_retry(), &format!("{RETRIED}, but it was not called again."));
    held(&[FOUND]).fails(calls("search").succeeds_on_retry(), &format!("{RETRIED}, but no call failed."));
}
