//! The rule `same_error`, and arguments that were never tried.
//!
//! An error that comes again for the same arguments says nothing about other arguments. An error that comes for several different arguments,
//! from a tool that has never worked, is an error of the tool.

use proptest::prelude::*;
use tests::script::{End, Script, Step, err, ok};
use tool_runtime::throttle::{CallEnd, SessionLimits};

#[test]
fn only_the_repeated_arguments_are_rejected() {
    Script::new().check(&[
        (0, err("load", "1", "No."), "ok"),
        (3_000, err("load", "1", "No."), "warned same_error"),
        (6_000, err("load", "1", "No."), "ok"),
        (9_000, ok("load", "1", "x"), "rejected same_error in 27000"),
        (9_000, ok("load", "1.0", "x"), "rejected same_error in 27000"),
        (12_000, ok("load", "2", "x"), "ok"),
        // The result has ended the pause.
        (15_000, err("load", "1", "No."), "ok"),
    ]);
}

#[test]
fn an_error_for_several_arguments_pauses_a_tool_that_never_worked() {
    Script::new().check(&[
        (0, err("load", "1", "No."), "ok"),
        (3_000, err("load", "1", "No."), "warned same_error"),
        (6_000, err("load", "2", "No."), "ok"),
        (9_000, err("load", "2", "No."), "rejected same_error in 27000"),
        // The third different call is the last evidence that was missing.
        (12_000, err("load", "3", "No."), "ok"),
        (15_000, ok("load", "4", "x"), "rejected same_error in 57000"),
        (42_000, ok("load", "5", "x"), "rejected same_error in 30000"),
        (72_000, ok("load", "4", "x"), "ok"),
    ]);
}

#[test]
fn a_tool_that_has_worked_waits_only_while_the_error_comes_in_a_row() {
    let other = |number: u64| ok("search", number.to_string(), "[]");
    Script::new().check(&[
        (0, ok("load", "0", "x"), "ok"),
        (3_000, err("load", "1", "No."), "ok"),
        (6_000, err("load", "2", "No."), "warned same_error"),
        (9_000, err("load", "3", "No."), "ok"),
        (12_000, ok("load", "4", "x"), "rejected same_error in 27000"),
        (12_000, ok("load", "4", "x"), "rejected same_error in 27000"),
        (15_000, ok("load", "3", "x"), "rejected same_error in 24000"),
        // The model follows the advice to use other arguments.
        (15_000, ok("load", "5", "y"), "ok"),
        (18_000, err("load", "6", "No."), "ok"),
        (21_000, other(1), "ok"),
        (24_000, err("load", "7", "No."), "warned same_error"),
        (27_000, other(2), "ok"),
        (30_000, err("load", "8", "No."), "ok"),
        (33_000, other(3), "ok"),
        (36_000, ok("load", "8", "z"), "rejected same_error in 24000"),
        (36_000, ok("load", "9", "z"), "ok"),
    ]);
}

#[test]
fn another_error_of_the_early_call_ends_the_pause_and_counts() {
    Script::new().check(&[
        (0, err("load", "1", "No."), "ok"),
        (3_000, err("load", "1", "No."), "warned same_error"),
        (6_000, err("load", "1", "No."), "ok"),
        (7_000, ok("search", "1", "x"), "ok"),
        (9_000, err("load", "2", "Not so."), "warned consecutive_failures"),
        (12_000, err("load", "3", "Not there."), "ok"),
        (15_000, err("load", "1", "No."), "ok"),
        (18_000, ok("load", "4", "x"), "rejected consecutive_failures in 27000"),
        (45_000, ok("load", "4", "x"), "ok"),
    ]);
}

#[test]
fn a_tool_that_asks_for_a_delay_gets_it() {
    let mut script = Script::new();
    let load = script.number("load").unwrap_or_default();
    for _ in 0..3 {
        let retry_after = std::time::Duration::from_secs(60);
        let ticket = script.throttle.admit(load, &"1".into(), None).expect("it is not paused");
        ticket.report(&"1".into(), CallEnd::Unavailable { error: "Later.", retry_after });
    }
    assert_eq!(script.call(&ok("load", "2", "x")).words(), "rejected same_error in 60000");
}

#[test]
fn strict_limits_pause_the_whole_tool() {
    let mut script = Script::with(SessionLimits::strict());
    for _ in 0..3 {
        script.call(&err("load", "1", "No."));
        script.wait(3_000);
    }
    assert!(script.call(&ok("load", "2", "x")).rejected_by().is_some());
}

#[test]
fn one_call_of_a_batch_is_the_early_probe() {
    let mut script = Script::new();
    for _ in 0..3 {
        script.call(&err("load", "1", "No."));
        script.wait(3_000);
    }
    script.call(&ok("search", "1", "x"));
    let steps = ["2", "3", "1"].map(|arguments| ok("load", arguments, arguments).within(0));
    let said: Vec<_> = script.decide(&steps).iter().map(tests::script::Said::words).collect();
    assert_eq!(said, ["ok", "rejected same_error in 30000", "rejected same_error in 27000"]);
    assert_eq!(script.call(&ok("load", "3", "x")).words(), "ok");
}

#[test]
fn three_new_results_since_the_first_of_the_errors_restart_the_count() {
    let work = |number: u64| ok("search", number.to_string(), number.to_string());
    Script::new().check(&[
        (0, err("load", "1", "No."), "ok"),
        (1_000, work(1), "ok"),
        (2_000, work(2), "ok"),
        (3_000, err("load", "2", "No."), "warned same_error"),
        (4_000, work(3), "ok"),
        (5_000, work(4), "ok"),
        (6_000, err("load", "3", "No."), "ok"),
        (7_000, ok("load", "4", "x"), "ok"),
    ]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(tests::cases(64)))]

    #[test]
    fn the_fourth_equal_failure_in_a_row_of_a_working_tool_is_rejected(
        before in prop::collection::vec((0..3_u8, 0..40_u8, 0..2_u8), 0..30),
        repeats_arguments in any::<bool>(),
        wait in 2_500..7_000_u64,
    ) {
        let mut script = Script::new();
        script.call(&ok("load", "{}", "It works."));
        for (kind, arguments, error) in before {
            script.wait(wait);
            let arguments = arguments.to_string();
            script.call(&match kind {
                0 => ok("search", arguments.clone(), arguments),
                1 => ok("load", arguments.clone(), arguments),
                _ => err("load", arguments, format!("No {error}.")),
            });
        }
        let rejected = (0..4).any(|number| {
            script.wait(wait);
            let arguments = if repeats_arguments { 100 } else { 100 + number };
            script.call(&err("load", arguments.to_string(), "A new error.")).rejected_by().is_some()
        });
        prop_assert!(rejected);
    }

    #[test]
    fn a_tool_that_always_fails_rarely_runs(
        has_worked in any::<bool>(),
        steps in prop::collection::vec((0..12_u8, 0..2_u8, 0..3_u8), 200),
    ) {
        let mut script = Script::new();
        if has_worked {
            script.call(&ok("load", "{}", "It works."));
        }
        let mut ran = 0;
        for (number, (arguments, error, other)) in steps.into_iter().enumerate() {
            // Every third call has arguments that no other call has.
            let arguments = if other == 0 { 1_000 + number } else { usize::from(arguments) };
            let said = script.call(&err("load", arguments.to_string(), format!("No {error}.")));
            ran += u8::from(said.rejected_by().is_none());
            script.wait(3_000);
        }
        // Six failures, and a probe after each pause of 30, 60, 120 and 240 seconds.
        prop_assert!(ran <= 12, "{}", ran);
    }

    #[test]
    fn a_new_call_runs_after_repetitions_of_one_call(
        repetitions in 1..12_usize,
        wait in 2_500..20_000_u64,
        end in 0..2_u8,
    ) {
        let mut script = Script::new();
        for _ in 0..repetitions {
            script.call(&err("load", "1", "No."));
            script.wait(wait);
        }
        // The fourth call of a row is rejected, whatever its arguments are. After six equal errors, the tool waits for the end of the pause.
        script.call(&ok("load", "2", "x"));
        let step = match end {
            0 => ok("load", "3", "y"),
            _ => Step::new("load", "3", End::Denied),
        };
        let said = script.call(&step);
        prop_assert!(said.rejected_by().is_none() || repetitions >= 6, "{:?}", said);
    }
}

/// Returns a failure whose error quotes a value of the arguments.
fn closed(shop: &str, day: &str) -> Step {
    let arguments = format!(r#"{{"shop": "{shop}", "day": "{day}"}}"#);
    err("book", arguments, format!("The shop {shop} is closed on {day}."))
}

fn booked(shop: &str, day: &str, note: &str) -> Step {
    let arguments = format!(r#"{{"shop": "{shop}", "day": "{day}", "note": "{note}"}}"#);
    ok("book", arguments, format!("{shop} on {day}, {note}"))
}

#[test]
fn an_error_that_quotes_a_value_does_not_stop_a_call_with_another_value() {
    Script::new().check(&[
        (0, closed("north", "monday"), "ok"),
        (3_000, closed("north", "monday"), "warned same_error"),
        (6_000, closed("north", "monday"), "ok"),
        // The quoted values are still sent, so the error would come again.
        (7_000, booked("north", "monday", "quietly"), "rejected same_error in 29000"),
        (8_000, booked("north", "tuesday", ""), "ok"),
    ]);
}

#[test]
fn a_value_that_is_quoted_by_chance_admits_one_further_call() {
    let fails = |name: &str| err("load", format!(r#"{{"name": "{name}"}}"#), "The user root may not load.");
    Script::new().check(&[
        (0, fails("root"), "ok"),
        (3_000, fails("root"), "warned same_error"),
        (6_000, fails("root"), "ok"),
        (7_000, fails("etc"), "ok"),
        (8_000, fails("bin"), "rejected same_error in 59000"),
    ]);
}

#[test]
fn a_tool_that_has_failed_with_another_error_reacts_to_its_arguments() {
    let search = |number: u64| ok("search", number.to_string(), "");
    Script::new().check(&[
        (0, err("load", "0", "There are too few seats."), "ok"),
        (3_000, err("load", "1", "The balance is too low."), "ok"),
        (6_000, search(1), "ok"),
        (9_000, err("load", "2", "The balance is too low."), "warned same_error"),
        (12_000, err("load", "3", "The balance is too low."), "ok"),
        (15_000, err("load", "3", "The balance is too low."), "rejected same_error in 27000"),
        (18_000, ok("load", "4", "Paid."), "ok"),
    ]);
}
