//! Conditions on how calls ended, and on repairs and throttling.

use tool_runtime::failure::{FailureKind, ThrottleRule};
use tool_testkit::{calls, contains};

use crate::testkit::kit::{Held, LONDON, PARIS, held, session};

const REJECTED: (&str, &str) = ("get_weather", r#"{"units": "celsius"}"#);
const SLOW: (&str, &str) = ("search", r#"{"query": "slow"}"#);
const FOUND: (&str, &str) = ("search", r#"{"query": "rain"}"#);
/// Returns the sentence about a function that was called differently, with its name inserted.
fn other(name: &str, words: &str) -> String {
    format!("Function '{name}' was called, but not as expected. {words}")
}

#[test]
fn success_can_be_expected() {
    held(&[PARIS]).passes(calls("get_weather").succeeds());
    held(&[REJECTED, PARIS]).passes(calls("get_weather").succeeds());
    held(&[REJECTED]).fails(
        calls("get_weather").succeeds(),
        &other("get_weather", "Expected it to succeed, but it failed with invalid_call (validation_error)."),
    );
}

#[test]
fn a_result_can_be_expected() {
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
fn a_kind_of_failure_can_be_expected() {
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
fn a_hint_for_a_field_can_be_expected() {
    held(&[REJECTED]).passes(calls("get_weather").rejected_with_hint_about("location"));
    held(&[("get_weather", r#"{"location": "Paris", "units": "rankine"}"#)])
        .passes(calls("get_weather").rejected_with_hint_about("units"));
    held(&[REJECTED]).fails(
        calls("get_weather").rejected_with_hint_about("units"),
        &other("get_weather", "Expected a hint about 'units', but it was about 'location'."),
    );
    held(&[PARIS]).fails(
        calls("get_weather").rejected_with_hint_about("location"),
        &other("get_weather", "Expected a hint about 'location', but there was no hint."),
    );
}

#[test]
fn a_repair_can_be_expected() {
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
fn throttling_is_matched_by_its_rule() {
    held(&[PARIS]).fails(
        calls("get_weather").throttled(ThrottleRule::IdenticalCall),
        &other("get_weather", "Expected it to be throttled by identical_call, but it succeeded."),
    );
}

#[test]
fn faults_of_the_outcome_and_of_the_arguments_are_reported_together() {
    held(&[REJECTED]).fails(
        calls("get_weather").succeeds().at("units", "kelvin"),
        "Function 'get_weather' was called with incorrect parameters. \
         Expected it to succeed, but it failed with invalid_call (validation_error). \
         Expected parameter 'units' to be \"kelvin\", but was \"celsius\".",
    );
}

const CORRECTED: &str = "Expected a rejected call of function 'get_weather' to be corrected within";

#[test]
fn a_correction_can_be_expected() {
    held(&[REJECTED, PARIS]).passes(calls("get_weather").corrected_within(1));
    held(&[REJECTED, REJECTED, PARIS]).passes(calls("get_weather").corrected_within(2));
    held(&[REJECTED, FOUND, PARIS, REJECTED, PARIS]).passes(calls("get_weather").corrected_within(1));
    held(&[REJECTED, REJECTED, PARIS])
        .fails(calls("get_weather").corrected_within(1), &format!("{CORRECTED} 1 time, but it took 2 times."));
}

#[test]
fn a_missing_correction_is_reported() {
    held(&[PARIS])
        .fails(calls("get_weather").corrected_within(2), &format!("{CORRECTED} 2 times, but no call was rejected."));
    held(&[REJECTED])
        .fails(calls("get_weather").corrected_within(2), &format!("{CORRECTED} 2 times, but it was not called again."));
    held(&[REJECTED, REJECTED]).fails(
        calls("get_weather").corrected_within(2),
        &format!("{CORRECTED} 2 times, but 1 more call did not help."),
    );
    held(&[REJECTED, PARIS, REJECTED, REJECTED, REJECTED]).fails(
        calls("get_weather").corrected_within(2),
        &format!("{CORRECTED} 2 times, but 2 more calls did not help."),
    );
}

#[test]
fn a_correction_must_match_the_expected_arguments() {
    held(&[REJECTED, PARIS]).passes(calls("get_weather").at("location", "Paris").corrected_within(1));
    held(&[REJECTED, LONDON]).fails(
        calls("get_weather").at("location", "Paris").corrected_within(1),
        &format!("{CORRECTED} 1 time, but 1 more call did not help."),
    );
}

#[test]
fn a_parallel_call_does_not_count_as_a_correction() {
    Held::over(session())
        .step(&[REJECTED, PARIS])
        .fails(calls("get_weather").corrected_within(3), &format!("{CORRECTED} 3 times, but it was not called again."));
    Held::over(session()).step(&[REJECTED, PARIS]).step(&[PARIS]).passes(calls("get_weather").corrected_within(1));
}

#[test]
fn a_failure_that_cannot_be_corrected_does_not_count_as_a_rejection() {
    held(&[SLOW, FOUND]).fails(
        calls("search").corrected_within(1),
        "Expected a rejected call of function 'search' to be corrected within 1 time, but no call was rejected.",
    );
}

const RETRIED: &str = "Expected function 'search' to succeed when it is called again after a failure";

#[test]
fn a_successful_retry_can_be_expected() {
    held(&[SLOW, FOUND]).passes(calls("search").succeeds_on_retry());
    held(&[SLOW, SLOW, FOUND]).fails(calls("search").succeeds_on_retry(), &format!("{RETRIED}, but it took 2 times."));
    held(&[SLOW, SLOW])
        .fails(calls("search").succeeds_on_retry(), &format!("{RETRIED}, but 1 more call did not help."));
    held(&[SLOW]).fails(calls("search").succeeds_on_retry(), &format!("{RETRIED}, but it was not called again."));
    held(&[FOUND]).fails(calls("search").succeeds_on_retry(), &format!("{RETRIED}, but no call failed."));
}
