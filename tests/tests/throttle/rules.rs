//! Every rule of WIRE §5, call by call.

use std::time::Duration;

use tests::script::{End, Script, Step, bad, err, ok};
use tool_runtime::failure::ThrottleRule;
use tool_runtime::throttle::{Backoff, Limits, Overrides, Rate, Streak, UnknownNames};

#[test]
fn consecutive_failures() {
    Script::new().check(&[
        (0, err("read_file", "1", "no"), "ok"),
        (3_000, err("read_file", "2", "none"), "warned consecutive_failures"),
        (6_000, bad("read_file", "3", &["q"]), "ok"),
        (9_000, err("read_file", "4", "no"), "refused consecutive_failures in 27000"),
        (9_000, ok("load", "{}", "yes"), "ok"),
        (35_999, err("read_file", "5", "no"), "refused consecutive_failures in 1"),
        (36_000, err("read_file", "6", "no"), "ok"),
        (36_000, err("read_file", "7", "no"), "refused consecutive_failures in 60000"),
        (96_000, ok("read_file", "8", "yes"), "ok"),
        (97_000, err("read_file", "9", "no"), "ok"),
    ]);
}

#[test]
fn a_success_begins_anew() {
    Script::new().check(&[
        (0, err("read_file", "1", "a"), "ok"),
        (3_000, err("read_file", "2", "b"), "warned consecutive_failures"),
        (6_000, ok("read_file", "3", "yes"), "ok"),
        (9_000, err("read_file", "4", "c"), "ok"),
        (12_000, err("read_file", "5", "d"), "warned consecutive_failures"),
    ]);
}

#[test]
fn a_changed_set_of_issues_is_progress() {
    Script::new().check(&[
        (0, bad("book", "1", &["a", "b", "c"]), "ok"),
        (3_000, bad("book", "2", &["a", "b", "c"]), "warned consecutive_failures"),
        (6_000, bad("book", "3", &["b", "c"]), "ok"),
        (9_000, bad("book", "4", &["c", "b"]), "warned consecutive_failures"),
        (12_000, bad("book", "5", &["c"]), "ok"),
        (15_000, ok("book", "6", "booked"), "ok"),
    ]);
}

#[test]
fn other_errors_of_the_tool_are_no_progress() {
    Script::new().check(&[
        (0, err("book", "1", "a"), "ok"),
        (3_000, err("book", "2", "b"), "warned consecutive_failures"),
        (6_000, err("book", "3", "c"), "ok"),
        (9_000, err("book", "4", "d"), "refused consecutive_failures in 27000"),
    ]);
}

#[test]
fn going_back_to_an_earlier_set_of_issues_is_no_progress() {
    Script::new().check(&[
        (0, bad("book", "1", &["a"]), "ok"),
        (3_000, bad("book", "2", &["b"]), "ok"),
        (6_000, bad("book", "3", &["a"]), "warned consecutive_failures"),
        (9_000, bad("book", "4", &["b"]), "ok"),
        (12_000, bad("book", "5", &["a"]), "refused consecutive_failures in 27000"),
    ]);
}

#[test]
fn same_error() {
    Script::new().check(&[
        (0, err("no_streak", "1", "a"), "ok"),
        (3_000, err("no_streak", "2", "b"), "ok"),
        (6_000, err("no_streak", "3", "a"), "warned same_error"),
        (9_000, err("no_streak", "4", "b"), "warned same_error"),
        (12_000, err("no_streak", "5", "a"), "ok"),
        (12_500, ok("no_streak", "6", "yes"), "refused same_error in 29500"),
        (42_000, ok("no_streak", "7", "yes"), "ok"),
    ]);
}

#[test]
fn an_error_is_forgotten_after_a_minute() {
    Script::new().check(&[
        (0, err("no_streak", "1", "a"), "ok"),
        (3_000, err("no_streak", "2", "b"), "ok"),
        (60_001, err("no_streak", "3", "a"), "ok"),
        (63_000, err("no_streak", "4", "b"), "warned same_error"),
    ]);
}

#[test]
fn going_round_between_ever_new_faults_ends_in_a_pause() {
    let mut script = Script::new();
    let fields: Vec<String> = (0..40).map(|number| format!("field{number}")).collect();
    let refused = fields.iter().position(|field| {
        script.wait(3_000);
        script.call(&bad("book", "{}", &[field])).refused_by() == Some(ThrottleRule::ConsecutiveFailures)
    });
    // The first, eight detours, two more of the streak that the last of them began.
    assert_eq!(refused, Some(11));
}

#[test]
fn identical_call() {
    Script::new().check(&[
        (0, ok("load", r#"{"q":"a"}"#, "x"), "ok"),
        (3_000, ok("load", r#"{"q":"a"}"#, "x"), "warned identical_call"),
        (6_000, ok("load", r#"{"q":"a"}"#, "x"), "ok"),
        (9_000, ok("load", r#"{ "offset": null, "q": "a" }"#, "x"), "refused identical_call in 27000"),
        // Other arguments are another call.
        (9_000, ok("load", r#"{"q":"b"}"#, "x"), "ok"),
        (36_000, ok("load", r#"{"q":"a"}"#, "x"), "ok"),
        (36_000, ok("load", r#"{"q":"a"}"#, "x"), "refused identical_call in 60000"),
        (96_000, ok("load", r#"{"q":"a"}"#, "new"), "ok"),
        (97_000, ok("load", r#"{"q":"a"}"#, "new"), "warned identical_call"),
    ]);
}

#[test]
fn another_call_or_another_result_breaks_the_row() {
    Script::new().check(&[
        (0, ok("load", "1", "x"), "ok"),
        (3_000, ok("load", "1", "x"), "warned identical_call"),
        (6_000, ok("load", "1", "y"), "ok"),
        (9_000, ok("load", "1", "y"), "warned identical_call"),
        (12_000, ok("search", "1", "z"), "ok"),
        (15_000, ok("load", "1", "y"), "ok"),
        (18_000, ok("load", "1", "y"), "warned identical_call"),
    ]);
}

#[test]
fn alternating_calls() {
    Script::new().check(&[
        (0, ok("load", "1", "x"), "ok"),
        (3_000, ok("search", "1", "y"), "ok"),
        (6_000, ok("load", "1.0", "x"), "ok"),
        (9_000, ok("search", "1", "y"), "warned alternating_calls"),
        (12_000, ok("load", "1", "x"), "ok"),
        (15_000, ok("search", "1", "y"), "ok"),
        (18_000, ok("load", "1", "x"), "refused alternating_calls in 27000"),
        (18_000, ok("search", "1", "y"), "refused alternating_calls in 27000"),
        (18_000, ok("search", "2", "y"), "ok"),
        (45_000, ok("load", "1", "x"), "ok"),
        (45_000, ok("load", "1", "x"), "refused alternating_calls in 60000"),
    ]);
}

#[test]
fn same_tool_rate() {
    Script::new().check(&[
        (0, ok("load", "1", "1"), "ok"),
        (1_000, ok("load", "2", "2"), "ok"),
        (2_000, ok("load", "3", "3"), "ok"),
        (3_000, ok("load", "4", "4"), "ok"),
        (4_000, ok("load", "5", "5"), "ok"),
        (5_000, ok("load", "6", "6"), "refused same_tool_rate in 5000"),
        (9_999, ok("load", "7", "7"), "refused same_tool_rate in 1"),
        (10_000, ok("load", "8", "8"), "ok"),
        (10_500, ok("load", "9", "9"), "refused same_tool_rate in 500"),
        (11_000, ok("load", "10", "10"), "ok"),
    ]);
}

#[test]
fn overall_rate() {
    let tools = ["t1", "t2", "t3", "t4", "t5"];
    let mut calls: Vec<_> = (0..10_u64)
        .zip(tools.into_iter().cycle())
        .map(|(at, tool)| (at * 100, ok(tool, at.to_string(), at.to_string()), "ok"))
        .collect();
    calls.push((1_000, ok("t6", "{}", "x"), "refused overall_rate in 4000"));
    calls.push((5_000, ok("t6", "{}", "x"), "ok"));
    calls.push((5_001, ok("t6", "{}", "y"), "refused overall_rate in 99"));
    Script::new().check(&calls);
}

#[test]
fn a_batch_of_different_calls_counts_once_and_a_repeated_one_each_time() {
    let mut script = Script::new();
    let eight = |batch: usize| (0..8).map(move |page| ok("load", (batch * 8 + page).to_string(), "x").within(batch));
    for batch in 0..5 {
        assert!(eight(batch).all(|step| script.call(&step).words() == "ok"), "{batch}");
    }
    assert_eq!(script.call(&ok("load", "99", "x").within(5)).words(), "refused same_tool_rate in 10000");

    let mut script = Script::new();
    let said: Vec<_> =
        (0..6).map(|number| script.call(&ok("load", "1", number.to_string()).within(1)).words()).collect();
    assert_eq!(said[..5], ["ok"; 5]);
    assert_eq!(said[5], "refused same_tool_rate in 10000");
}

#[test]
fn unknown_tools() {
    let mut script = Script::new();
    let invented = |name| Step::new(name, "{}", End::Cancelled);
    script.check(&[
        (0, invented("serch"), "ok"),
        (0, invented("find"), "ok"),
        (0, invented("serch"), "warned unknown_tools"),
        (0, invented("grep"), "ok"),
        (0, invented("find"), "ok"),
        (0, invented("lookup"), "refused unknown_tools"),
        (600_000, invented("lookup"), "refused unknown_tools"),
        (600_000, ok("load", "{}", "x"), "ok"),
        (600_000, invented("lookup"), "ok"),
    ]);
}

#[test]
fn run_budget() {
    let mut limits = Limits::default();
    limits.run_budget = Some(3);
    let mut script = Script::with(limits);
    script.check(&[
        (0, err("load", "1", "x"), "ok"),
        (1_000, err("search", "1", "x"), "ok"),
        (2_000, bad("book", "1", &["a"]), "ok"),
        (3_000, ok("t1", "1", "x"), "refused run_budget"),
        (600_000, ok("t1", "1", "x"), "refused run_budget"),
        (600_000, ok("finish", "1", "x"), "ok"),
    ]);
    script.throttle.begin_run();
    assert_eq!(script.call(&ok("t1", "1", "x")).words(), "ok");
}

#[test]
fn a_run_budget_of_zero_is_one() {
    let mut limits = Limits::default();
    limits.run_budget = Some(0);
    let mut script = Script::with(limits);
    script.check(&[
        (0, ok("load", "1", "x"), "ok"),
        (1_000, err("search", "1", "x"), "ok"),
        (2_000, ok("t1", "1", "x"), "refused run_budget"),
    ]);
}

#[test]
fn every_number_can_be_set_for_the_session() {
    let pause = Backoff { first: Duration::from_secs(1), factor: 3, cap: Duration::from_secs(5) };
    let mut limits = Limits::default();
    limits.consecutive_failures = Some(Streak { warn: 1, refuse: 2, pause });
    limits.same_error = None;
    limits.same_tool_rate = Some(Rate { calls: 100, window: Duration::from_secs(1) });
    limits.overall_rate = None;
    limits.unknown_tools = Some(UnknownNames { warn: 1, refuse: 1 });
    Script::with(limits).check(&[
        (0, err("load", "1", "x"), "warned consecutive_failures"),
        (0, err("load", "2", "x"), "ok"),
        (0, err("load", "3", "x"), "refused consecutive_failures in 1000"),
        (1_000, err("load", "4", "x"), "ok"),
        (1_000, err("load", "5", "x"), "refused consecutive_failures in 3000"),
        (4_000, err("load", "6", "x"), "ok"),
        (4_000, err("load", "7", "x"), "refused consecutive_failures in 5000"),
        (9_000, err("load", "8", "x"), "ok"),
        (9_000, err("load", "9", "x"), "refused consecutive_failures in 5000"),
        (9_000, ok("nobody", "{}", "x"), "warned unknown_tools"),
        (9_000, ok("nobody", "{}", "x"), "refused unknown_tools"),
    ]);
}

#[test]
fn every_number_can_be_set_for_a_tool() {
    let streak = |refuse| Streak { warn: refuse - 1, refuse, ..Streak::DEFAULT };
    let own = Overrides::NONE
        .consecutive_failures(streak(5))
        .same_error(streak(4))
        .identical_call(Streak { warn: 0, ..streak(2) });
    let own = own.alternating_calls(streak(9)).same_tool_rate(Rate { calls: 7, window: Duration::from_secs(1) });
    let mut script = Script::of(Limits::default(), &[("own", own), ("usual", Overrides::NONE)]);
    script.check(&[
        (0, err("own", "1", "x"), "ok"),
        (0, err("own", "2", "x"), "ok"),
        (0, err("own", "3", "x"), "warned same_error"),
        (0, err("own", "4", "y"), "warned consecutive_failures"),
        (0, ok("own", "5", "y"), "ok"),
        (0, ok("own", "5", "y"), "ok"),
        (0, ok("own", "5", "y"), "refused identical_call in 30000"),
        (0, ok("own", "6", "y"), "ok"),
        (0, ok("own", "7", "y"), "refused same_tool_rate in 1000"),
        (0, err("usual", "1", "x"), "ok"),
        (0, err("usual", "2", "x"), "warned consecutive_failures"),
    ]);
}

#[test]
fn numbers_that_would_refuse_for_ever_do_not() {
    let forever = Backoff { first: Duration::MAX, factor: u32::MAX, cap: Duration::MAX };
    let mut limits = Limits::default();
    limits.consecutive_failures = Some(Streak { warn: 0, refuse: 0, pause: forever });
    limits.same_tool_rate = Some(Rate { calls: 0, window: Duration::MAX });
    let mut script = Script::with(limits);
    let day = 24 * 60 * 60 * 1_000;
    script.check(&[
        (0, err("load", "1", "x"), "ok"),
        (0, err("load", "2", "x"), "refused consecutive_failures in 86400000"),
        (day, err("load", "3", "x"), "ok"),
        (2 * day, ok("load", "4", "x"), "ok"),
        (2 * day, ok("load", "5", "x"), "refused same_tool_rate in 86400000"),
    ]);
}
