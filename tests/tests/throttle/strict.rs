//! The strict limits at their boundaries: with one call less or one millisecond more, nothing is rejected.

use tests::script::{Script, bad, err, ok};
use tool_runtime::throttle::{Backoff, CountingMode, RateLimit, SessionLimits, StreakLimits};

fn strict() -> Script {
    Script::with(SessionLimits::strict())
}

#[test]
fn the_strict_limits_are_those_of_the_documentation() {
    let limits = SessionLimits::strict();
    assert_eq!(limits.counting, CountingMode::Everything);
    assert_eq!(limits.consecutive_failures, Some(StreakLimits { warn: 2, limit: 3, pause: Backoff::DEFAULT }));
    let rate = |rate: Option<RateLimit>| rate.map(|rate| (rate.calls, rate.window.as_secs()));
    assert_eq!((rate(limits.same_tool_rate), rate(limits.overall_rate)), (Some((5, 10)), Some((10, 5))));
    let usual = SessionLimits::default();
    let mut other = limits;
    (other.counting, other.consecutive_failures) = (usual.counting, usual.consecutive_failures);
    assert_eq!(other, usual);
}

#[test]
fn three_failures_with_any_messages_pause_the_tool() {
    strict().check(&[
        (0, err("load", "1", "a"), "ok"),
        (3_000, bad("load", "2", &["b"]), "warned consecutive_failures"),
        (6_000, bad("load", "3", &["c"]), "ok"),
        (35_999, ok("load", "4", "x"), "rejected consecutive_failures in 1"),
        (36_000, err("load", "5", "d"), "ok"),
        (95_999, ok("load", "6", "x"), "rejected consecutive_failures in 1"),
        (96_000, ok("load", "7", "x"), "ok"),
        (99_000, err("load", "8", "e"), "ok"),
        (102_000, err("load", "9", "f"), "warned consecutive_failures"),
        (105_000, ok("load", "10", "y"), "ok"),
    ]);
}

#[test]
fn pauses_double_up_to_five_minutes() {
    let mut script = strict();
    for number in 0..3 {
        script.call(&err("load", "{}", number.to_string()));
    }
    for pause in [30_u64, 60, 120, 240, 300, 300] {
        let said = script.call(&err("load", "{}", "x")).words();
        assert_eq!(said, format!("rejected consecutive_failures in {}", pause * 1_000));
        script.wait(pause * 1_000);
        assert_eq!(script.call(&err("load", "{}", "x")).words(), "ok");
    }
}

#[test]
fn more_than_five_calls_of_a_tool_in_ten_seconds_are_rejected() {
    strict().check(&[
        (0, ok("load", "1", "1"), "ok"),
        (1_000, ok("load", "2", "2"), "ok"),
        (2_000, ok("load", "3", "3"), "ok"),
        (3_000, ok("load", "4", "4"), "ok"),
        (4_000, ok("load", "5", "5"), "ok"),
        (4_000, ok("search", "5", "5"), "ok"),
        (5_000, ok("load", "6", "6"), "rejected same_tool_rate in 5000"),
        (9_999, ok("load", "7", "7"), "rejected same_tool_rate in 1"),
        (10_000, ok("load", "8", "8"), "ok"),
        (10_999, ok("load", "9", "9"), "rejected same_tool_rate in 1"),
        (11_000, ok("load", "10", "10"), "ok"),
    ]);
}

#[test]
fn more_than_ten_calls_in_five_seconds_are_rejected() {
    let tools = ["t1", "t2", "t3", "t4", "t5"];
    let mut calls: Vec<_> = (0..10_u64)
        .zip(tools.into_iter().cycle())
        .map(|(at, tool)| (at * 100, ok(tool, at.to_string(), at.to_string()), "ok"))
        .collect();
    calls.push((1_000, ok("t6", "{}", "x"), "rejected overall_rate in 4000"));
    calls.push((4_999, ok("t6", "{}", "x"), "rejected overall_rate in 1"));
    calls.push((5_000, ok("t6", "{}", "x"), "ok"));
    calls.push((5_001, ok("t6", "{}", "y"), "rejected overall_rate in 99"));
    strict().check(&calls);
}
