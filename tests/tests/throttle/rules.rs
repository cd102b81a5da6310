//! Every rule of section 5 of docs/wire.md, call by call.

use std::time::Duration;

use tests::script::{End, Script, Step, bad, err, ok};
use tool_runtime::failure::ThrottleRule;
use tool_runtime::throttle::{
    Backoff, CallEnd, LimitOverrides, RateLimit, SessionLimits, StreakLimits, UnknownNameLimits,
};

#[test]
fn consecutive_failures_pause_the_tool() {
    Script::new().check(&[
        (0, err("read_file", "1", "no"), "ok"),
        (3_000, err("read_file", "2", "none"), "ok"),
        (6_000, bad("read_file", "3", &["q"]), "ok"),
        (9_000, err("read_file", "4", "never"), "warned consecutive_failures"),
        (12_000, err("read_file", "5", "not"), "ok"),
        (15_000, err("read_file", "6", "nothing"), "ok"),
        (18_000, err("read_file", "7", "no"), "rejected consecutive_failures in 27000"),
        (18_000, ok("load", "{}", "yes"), "ok"),
        (44_999, err("read_file", "8", "no"), "rejected consecutive_failures in 1"),
        (45_000, err("read_file", "9", "no"), "ok"),
        (45_000, err("read_file", "10", "no"), "rejected consecutive_failures in 60000"),
        (105_000, ok("read_file", "11", "yes"), "ok"),
        (106_000, err("read_file", "12", "no"), "ok"),
    ]);
}

#[test]
fn a_success_resets_the_count() {
    Script::new().check(&[
        (0, err("read_file", "1", "a"), "ok"),
        (3_000, err("read_file", "2", "a"), "warned same_error"),
        (6_000, ok("read_file", "3", "yes"), "ok"),
        (9_000, err("read_file", "4", "a"), "ok"),
        (12_000, err("read_file", "5", "a"), "warned same_error"),
    ]);
}

#[test]
fn three_equal_errors_pause_and_five_different_ones_do_not() {
    let mut script = Script::new();
    for number in 0..5 {
        script.wait(3_000);
        assert_eq!(script.call(&err("load", "{}", number.to_string())).rejected_by(), None);
    }
    script.wait(3_000);
    assert_eq!(script.call(&ok("load", "{}", "the fix")).words(), "ok");
    for number in 0..3 {
        script.wait(3_000);
        assert_eq!(script.call(&err("load", number.to_string(), "No.")).rejected_by(), None);
    }
    assert_eq!(script.call(&ok("load", "{}", "the fix")).words(), "rejected same_error in 30000");
}

#[test]
fn an_error_is_forgotten_after_other_work() {
    let mut script = Script::new();
    let work = |number: u64| ok("search", number.to_string(), number.to_string());
    script.check(&[
        (0, err("load", "1", "No."), "ok"),
        (1_000, work(1), "ok"),
        (2_000, work(2), "ok"),
        (3_000, err("load", "2", "No."), "warned same_error"),
        (4_000, work(3), "ok"),
        (5_000, work(4), "ok"),
        // Repeated results do not count as work.
        (6_000, work(4), "warned identical_call"),
        (7_000, work(5), "ok"),
        (8_000, err("load", "3", "No."), "ok"),
        (9_000, err("load", "4", "No."), "warned same_error"),
        (10_000, err("load", "5", "No."), "ok"),
        (11_000, err("load", "6", "No."), "rejected same_error in 29000"),
    ]);
}

#[test]
fn a_probe_that_fails_with_another_error_reports_its_own_rule() {
    let mut script = Script::new();
    for number in 0..3 {
        script.call(&err("load", number.to_string(), "No."));
    }
    script.wait(30_000);
    assert_eq!(script.call(&err("load", "3", "Not now.")).words(), "ok");
    assert_eq!(script.call(&err("load", "4", "No.")).words(), "rejected consecutive_failures in 60000");
}

#[test]
fn a_changed_set_of_issues_is_progress() {
    Script::new().check(&[
        (0, bad("book", "1", &["a", "b", "c"]), "ok"),
        (3_000, bad("book", "2", &["a", "b", "c"]), "warned same_error"),
        (6_000, bad("book", "3", &["b", "c"]), "ok"),
        (9_000, bad("book", "4", &["c", "b"]), "warned same_error"),
        (12_000, bad("book", "5", &["c"]), "ok"),
        (15_000, ok("book", "6", "booked"), "ok"),
    ]);
}

#[test]
fn other_errors_of_the_tool_are_not_progress() {
    let mut script = Script::new();
    for number in 1..=6 {
        assert_eq!(script.call(&err("book", number.to_string(), number.to_string())).rejected_by(), None);
        script.wait(3_000);
    }
    assert_eq!(script.call(&err("book", "7", "7")).words(), "rejected consecutive_failures in 27000");
}

#[test]
fn returning_to_an_earlier_set_of_issues_is_not_progress() {
    Script::new().check(&[
        (0, bad("book", "1", &["a"]), "ok"),
        (3_000, bad("book", "2", &["b"]), "ok"),
        (6_000, bad("book", "3", &["a"]), "ok"),
        (9_000, bad("book", "4", &["b"]), "warned same_error"),
        (12_000, bad("book", "5", &["a"]), "warned same_error"),
        (15_000, bad("book", "6", &["b"]), "ok"),
        (18_000, bad("book", "7", &["a"]), "rejected same_error in 27000"),
    ]);
}

#[test]
fn the_same_error_pauses_the_tool() {
    Script::new().check(&[
        (0, err("no_streak", "1", "a"), "ok"),
        (3_000, err("no_streak", "2", "b"), "ok"),
        (6_000, err("no_streak", "3", "a"), "warned same_error"),
        (9_000, err("no_streak", "4", "b"), "warned same_error"),
        (12_000, err("no_streak", "5", "a"), "ok"),
        (12_500, ok("no_streak", "6", "yes"), "rejected same_error in 29500"),
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
fn alternating_between_new_faults_ends_in_a_pause() {
    let mut script = Script::new();
    let fields: Vec<String> = (0..40).map(|number| format!("field{number}")).collect();
    let rejected = fields.iter().position(|field| {
        script.wait(3_000);
        script.call(&bad("book", "{}", &[field])).rejected_by() == Some(ThrottleRule::ConsecutiveFailures)
    });
    // The first call, eight detours, and five more calls of the series that began with the last detour.
    assert_eq!(rejected, Some(14));
}

#[test]
fn identical_calls_are_paused() {
    Script::new().check(&[
        (0, ok("load", r#"{"q":"a"}"#, "x"), "ok"),
        (3_000, ok("load", r#"{"q":"a"}"#, "x"), "warned identical_call"),
        (6_000, ok("load", r#"{"q":"a"}"#, "x"), "ok"),
        (9_000, ok("load", r#"{ "offset": null, "q": "a" }"#, "x"), "rejected identical_call in 27000"),
        // Other arguments make it a different call.
        (9_000, ok("load", r#"{"q":"b"}"#, "x"), "ok"),
        (36_000, ok("load", r#"{"q":"a"}"#, "x"), "ok"),
        (36_000, ok("load", r#"{"q":"a"}"#, "x"), "rejected identical_call in 60000"),
        (96_000, ok("load", r#"{"q":"a"}"#, "new"), "ok"),
        (97_000, ok("load", r#"{"q":"a"}"#, "new"), "warned identical_call"),
    ]);
}

#[test]
fn another_call_or_another_result_ends_the_series() {
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
fn a_success_of_another_tool_ends_the_series_and_its_pause() {
    let folder = || ok("load", "{}", "a b c");
    Script::new().check(&[
        (0, folder(), "ok"),
        (1_000, folder(), "warned identical_call"),
        (2_000, folder(), "ok"),
        (3_000, folder(), "rejected identical_call in 29000"),
        (4_000, err("write_file", "1", "No."), "ok"),
        (5_000, folder(), "rejected identical_call in 27000"),
        (6_000, ok("list", "1", "x"), "ok"),
        (7_000, folder(), "rejected identical_call in 25000"),
        (8_000, ok("write_file", "1", "done"), "ok"),
        (9_000, folder(), "ok"),
        (10_000, folder(), "warned identical_call"),
        (11_000, folder(), "ok"),
        (12_000, folder(), "rejected identical_call in 29000"),
    ]);
}

#[test]
fn read_only_calls_in_between_do_not_end_a_series() {
    let folder = || ok("load", "{}", "a b c");
    let mut script = Script::new();
    let mut round = 0;
    let rejected = (0..10).find(|_| {
        round += 1;
        script.wait(1_000);
        script.call(&ok("list", round.to_string(), round.to_string()));
        script.call(&folder()).rejected_by() == Some(ThrottleRule::IdenticalCall)
    });
    assert_eq!(rejected, Some(3));
}

#[test]
fn a_new_result_of_the_same_tool_ends_the_pause_of_a_call() {
    let call = |arguments: &str, result: &str| ok("load", arguments, result);
    Script::new().check(&[
        (0, call("\"ls\"", "a b"), "ok"),
        (1_000, call("\"ls\"", "a b"), "warned identical_call"),
        (2_000, call("\"ls\"", "a b"), "ok"),
        (3_000, call("\"ls\"", "a b"), "rejected identical_call in 29000"),
        (4_000, call("\"cd c\"", "now in c"), "ok"),
        (5_000, call("\"ls\"", "d"), "ok"),
    ]);
}

#[test]
fn alternating_calls_are_paused() {
    Script::new().check(&[
        (0, ok("load", "1", "x"), "ok"),
        (3_000, ok("search", "1", "y"), "ok"),
        (6_000, ok("load", "1.0", "x"), "ok"),
        (9_000, ok("search", "1", "y"), "warned alternating_calls"),
        (12_000, ok("load", "1", "x"), "ok"),
        (15_000, ok("search", "1", "y"), "ok"),
        (18_000, ok("load", "1", "x"), "rejected alternating_calls in 27000"),
        (18_000, ok("search", "1", "y"), "rejected alternating_calls in 27000"),
        (18_000, ok("search", "2", "y"), "ok"),
        (45_000, ok("load", "1", "x"), "ok"),
        (45_000, ok("load", "1", "x"), "rejected alternating_calls in 60000"),
    ]);
}

#[test]
fn the_rate_of_one_tool_is_limited() {
    let same = |_: u8| ok("no_pause", "{}", "x");
    let mut script = Script::of(SessionLimits::default(), &[("no_pause", LimitOverrides::NONE.polling())]);
    script.check(&[
        // The first call has a new result.
        (0, same(1), "ok"),
        (0, same(2), "ok"),
        (1_000, same(3), "ok"),
        (2_000, same(4), "ok"),
        (3_000, same(5), "ok"),
        (4_000, same(6), "ok"),
        (5_000, same(7), "rejected same_tool_rate in 5000"),
        (9_999, same(8), "rejected same_tool_rate in 1"),
        (10_000, same(9), "ok"),
        (10_500, same(10), "rejected same_tool_rate in 500"),
        (11_000, same(11), "ok"),
    ]);
}

#[test]
fn calls_with_new_results_do_not_count_for_the_rate_limits() {
    let mut script = Script::new();
    for number in 0..200 {
        let tool = ["load", "search", "write_file"][number % 3];
        let result = if tool == "write_file" { "done".to_owned() } else { number.to_string() };
        assert_eq!(script.call(&ok(tool, number.to_string(), result)).words(), "ok");
    }
}

#[test]
fn a_read_only_tool_with_a_constant_result_makes_no_progress() {
    let mut script = Script::new();
    let said: Vec<_> = (0..7).map(|number| script.call(&ok("list", number.to_string(), "nothing")).words()).collect();
    assert_eq!(said[..6], ["ok"; 6]);
    assert_eq!(said[6], "rejected same_tool_rate in 10000");
}

#[test]
fn the_rate_of_all_tools_is_limited() {
    let tools = ["t1", "t2", "t3", "t4", "t5"];
    let mut calls: Vec<_> = (0..10_u64)
        .zip(tools.into_iter().cycle())
        .map(|(at, tool)| (at * 100, ok(tool, at.to_string(), "[]"), "ok"))
        .collect();
    calls.push((1_000, ok("t6", "{}", "x"), "rejected overall_rate in 4000"));
    calls.push((5_000, ok("t6", "{}", "[]"), "ok"));
    calls.push((5_001, ok("t6", "{}", "y"), "rejected overall_rate in 99"));
    Script::new().check(&calls);
}

#[test]
fn a_batch_of_different_calls_counts_once_and_a_repeated_one_each_time() {
    for limits in [SessionLimits::default(), SessionLimits::strict()] {
        let mut script = Script::with(limits);
        for batch in 0..5 {
            let eight: Vec<_> =
                (0..8).map(|page| ok("load", (batch * 8 + page).to_string(), "[]").within(batch)).collect();
            assert!(script.decide(&eight).iter().all(|said| said.words() == "ok"), "{batch}");
        }
        assert_eq!(script.call(&ok("load", "99", "x").within(5)).words(), "rejected same_tool_rate in 10000");

        let mut script = Script::with(limits);
        let six: Vec<_> = (0..6).map(|number| ok("load", "1", number.to_string()).within(1)).collect();
        let said: Vec<_> = script.decide(&six).iter().map(tests::script::Said::words).collect();
        assert_eq!(said[..5], ["ok"; 5]);
        assert_eq!(said[5], "rejected same_tool_rate in 10000");
    }
}

#[test]
fn every_repetition_counts_regardless_of_the_calls_before_it() {
    for different in [0, 64, 65, 1_000] {
        let mut script = Script::new();
        let calls = (0..different).map(|number| number.to_string());
        let calls = calls.chain(std::iter::repeat_n("-1".to_owned(), 200));
        let steps: Vec<_> = calls.map(|arguments| ok("load", &*arguments, &*arguments).within(0)).collect();
        let said = script.decide(&steps);
        let rejected = said.iter().filter(|said| said.rejected_by().is_some()).count();
        assert_eq!(rejected, 195, "after {different}");
    }
}

#[test]
fn unknown_names_are_limited() {
    let mut script = Script::new();
    let invented = |name| Step::new(name, "{}", End::Cancelled);
    script.check(&[
        (0, invented("serch"), "ok"),
        (0, invented("find"), "ok"),
        (0, invented("serch"), "warned unknown_tools"),
        (0, invented("grep"), "ok"),
        (0, invented("find"), "ok"),
        (0, invented("lookup"), "rejected unknown_tools"),
        (600_000, invented("lookup"), "rejected unknown_tools"),
        (600_000, ok("load", "{}", "x"), "ok"),
        (600_000, invented("lookup"), "ok"),
    ]);
}

#[test]
fn the_run_budget_is_limited() {
    let mut limits = SessionLimits::default();
    limits.run_budget = Some(3);
    let mut script = Script::with(limits);
    script.check(&[
        (0, err("load", "1", "x"), "ok"),
        (1_000, err("search", "1", "x"), "ok"),
        (2_000, bad("book", "1", &["a"]), "ok"),
        (3_000, ok("t1", "1", "x"), "rejected run_budget"),
        (600_000, ok("t1", "1", "x"), "rejected run_budget"),
        (600_000, ok("finish", "1", "x"), "ok"),
    ]);
    script.throttle.begin_run();
    assert_eq!(script.call(&ok("t1", "1", "x")).words(), "ok");
}

#[test]
fn a_run_budget_of_zero_counts_as_one() {
    let mut limits = SessionLimits::default();
    limits.run_budget = Some(0);
    let mut script = Script::with(limits);
    script.check(&[
        (0, ok("load", "1", "x"), "ok"),
        (1_000, err("search", "1", "x"), "ok"),
        (2_000, ok("t1", "1", "x"), "rejected run_budget"),
    ]);
}

#[test]
fn every_limit_can_be_set_for_the_session() {
    let pause = Backoff { first: Duration::from_secs(1), factor: 3, cap: Duration::from_secs(5) };
    let mut limits = SessionLimits::default();
    limits.consecutive_failures = Some(StreakLimits { warn: 1, limit: 2, pause });
    limits.same_error = None;
    limits.same_tool_rate = Some(RateLimit { calls: 100, window: Duration::from_secs(1) });
    limits.overall_rate = None;
    limits.unknown_tools = Some(UnknownNameLimits { warn: 1, limit: 1 });
    Script::with(limits).check(&[
        (0, err("load", "1", "x"), "warned consecutive_failures"),
        (0, err("load", "2", "x"), "ok"),
        (0, err("load", "3", "x"), "rejected consecutive_failures in 1000"),
        (1_000, err("load", "4", "x"), "ok"),
        (1_000, err("load", "5", "x"), "rejected consecutive_failures in 3000"),
        (4_000, err("load", "6", "x"), "ok"),
        (4_000, err("load", "7", "x"), "rejected consecutive_failures in 5000"),
        (9_000, err("load", "8", "x"), "ok"),
        (9_000, err("load", "9", "x"), "rejected consecutive_failures in 5000"),
        (9_000, ok("nobody", "{}", "x"), "warned unknown_tools"),
        (9_000, ok("nobody", "{}", "x"), "rejected unknown_tools"),
    ]);
}

#[test]
fn every_limit_can_be_set_for_a_tool() {
    let streak = |limit| StreakLimits { warn: limit - 1, limit, ..StreakLimits::DEFAULT };
    let own = LimitOverrides::NONE
        .consecutive_failures(streak(5))
        .same_error(streak(4))
        .identical_call(StreakLimits { warn: 0, ..streak(2) });
    let own = own.alternating_calls(streak(9)).same_tool_rate(RateLimit { calls: 7, window: Duration::from_secs(1) });
    let mut script = Script::of(SessionLimits::default(), &[("own", own), ("usual", LimitOverrides::NONE)]);
    script.check(&[
        (0, err("own", "1", "x"), "ok"),
        (0, err("own", "2", "x"), "ok"),
        (0, err("own", "3", "x"), "warned same_error"),
        (0, err("own", "4", "y"), "warned consecutive_failures"),
        (0, ok("own", "5", "y"), "ok"),
        (0, ok("own", "5", "y"), "ok"),
        (0, ok("own", "5", "y"), "rejected identical_call in 30000"),
        (0, ok("own", "6", "[]"), "ok"),
        (0, ok("own", "7", "[]"), "ok"),
        (0, ok("own", "8", "y"), "rejected same_tool_rate in 1000"),
        (0, err("usual", "1", "x"), "ok"),
        (0, err("usual", "2", "x"), "warned same_error"),
    ]);
}

#[test]
fn limits_that_would_reject_forever_are_bounded() {
    let forever = Backoff { first: Duration::MAX, factor: u32::MAX, cap: Duration::MAX };
    let mut limits = SessionLimits::default();
    limits.consecutive_failures = Some(StreakLimits { warn: 0, limit: 0, pause: forever });
    limits.same_tool_rate = Some(RateLimit { calls: 0, window: Duration::MAX });
    let mut script = Script::with(limits);
    let day = 24 * 60 * 60 * 1_000;
    script.check(&[
        (0, err("load", "1", "x"), "ok"),
        (0, err("load", "2", "x"), "rejected consecutive_failures in 86400000"),
        (day, err("load", "3", "x"), "ok"),
        (2 * day, ok("load", "4", "[]"), "ok"),
        (2 * day, ok("load", "5", "x"), "rejected same_tool_rate in 86400000"),
    ]);
}

#[test]
fn a_pause_lasts_as_long_as_the_tool_requested() {
    let hour = 60 * 60;
    for (asked, expected) in [(60, 60), (10, 30), (hour, hour), (2 * hour, hour), (u64::MAX, hour)] {
        let script = Script::new();
        let load = script.number("load").unwrap_or_default();
        let retry_after = Duration::from_secs(asked);
        for _ in 0..3 {
            let ticket = script.throttle.admit(load, &"1".into(), None).ok();
            let exit = CallEnd::Unavailable { error: "Not now.", retry_after };
            ticket.and_then(|ticket| ticket.report(&"1".into(), exit));
        }
        let wait = script.throttle.admit(load, &"2".into(), None).err().and_then(|rejection| rejection.retry_after);
        assert_eq!(wait, Some(Duration::from_secs(expected)), "{asked}");
        script.wait(expected * 1_000);
        assert!(script.throttle.admit(load, &"2".into(), None).is_ok(), "{asked}");
    }
}

#[test]
fn a_requested_delay_is_remembered_until_a_rule_pauses_the_tool() {
    let mut script = Script::new();
    let load = script.number("load").unwrap_or_default();
    let exit = CallEnd::Unavailable { error: "Not now.", retry_after: Duration::from_secs(100) };
    script.throttle.admit(load, &"1".into(), None).ok().and_then(|ticket| ticket.report(&"1".into(), exit));
    for _ in 0..2 {
        script.wait(5_000);
        script.call(&err("load", "1", "Not now."));
    }
    assert_eq!(script.call(&err("load", "1", "Not now.")).words(), "rejected same_error in 90000");
}
