//! General properties, for random sequences of calls, results and clock steps.

use proptest::prelude::*;
use tests::script::{End, Script, Step, err, ok};

/// Generates clock steps in milliseconds, each with the call after it.
fn steps() -> impl Strategy<Value = Vec<(u64, Step)>> {
    let tool = prop::sample::select(vec!["load", "search", "book", "status", "clocked", "no_streak", "serch"]);
    let end = prop_oneof![
        4 => (0..3_u8).prop_map(|result| End::Ok(result.to_string())),
        3 => (0..2_u8).prop_map(|error| End::Err(error.to_string())),
        2 => prop::sample::subsequence(vec!["a", "b", "c"], 1..=3).prop_map(|fields| End::Bad(fields.into_iter().map(str::to_owned).collect())),
        1 => prop_oneof![Just(End::Denied), Just(End::Deferred), Just(End::Cancelled)],
    ];
    let arguments = prop::sample::select(vec!["{}", r#"{"offset":1}"#, r#"{"offset":1.0}"#, "", "{", "null"]);
    let wait = prop_oneof![Just(0_u64), 1..4_000_u64, Just(30_000), 30_000..400_000_u64];
    let call = (wait, tool, arguments, end, prop::option::weighted(0.3, 0..6_usize), 0..3_u64);
    let step = call.prop_map(|(wait, tool, arguments, end, batch, takes)| {
        (wait, Step { batch, ..Step::new(tool, arguments, end).taking(takes) })
    });
    prop::collection::vec(step, 1..120)
}

fn play(script: &mut Script, steps: &[(u64, Step)]) -> Vec<String> {
    let mut said = Vec::new();
    for (wait, step) in steps {
        script.wait(*wait);
        said.push(format!("{:?}", script.call(step)));
    }
    said
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(tests::cases(64)))]

    #[test]
    fn equal_inputs_give_equal_outputs(steps in steps()) {
        let (mut one, mut other) = (Script::new(), Script::new());
        prop_assert_eq!(play(&mut one, &steps), play(&mut other, &steps));
        prop_assert_eq!(one.throttle.statistics(), other.throttle.statistics());
    }

    #[test]
    fn no_tool_stays_paused_forever(steps in steps()) {
        let mut script = Script::new();
        play(&mut script, &steps);
        script.wait(300_000);
        for tool in ["load", "search", "book", "status", "clocked", "no_streak"] {
            let said = script.call(&ok(tool, "{}", "0"));
            prop_assert_eq!(said.rejected_by(), None, "{}: {:?}", tool, said);
            script.wait(3_000);
        }
    }

    #[test]
    fn a_call_after_the_announced_pause_runs(steps in steps()) {
        let mut script = Script::new();
        play(&mut script, &steps);
        let again = ok("load", "{}", "0");
        let mut waits = 0;
        while let tests::script::Said::Rejected(rejection) = script.call(&again) {
            let Some(pause) = rejection.retry_after else {
                return Err(TestCaseError::fail(format!("{rejection:?}")));
            };
            prop_assert!(!pause.is_zero());
            script.clock.advance(pause);
            waits += 1;
            // At most one wait for each rule with a pause.
            prop_assert!(waits <= 6, "{:?}", rejection);
        }
    }

    #[test]
    fn a_rule_that_warns_has_warned_before_it_pauses(steps in steps()) {
        let mut script = Script::new();
        let mut warned = false;
        for (wait, step) in &steps {
            script.wait(*wait);
            let said = script.call(step);
            let words = said.words();
            warned |= words.starts_with("warned");
            if words.starts_with("rejected") && !words.contains("_rate") {
                prop_assert!(warned, "{}", words);
                break;
            }
        }
    }

    #[test]
    fn a_model_that_corrects_one_field_per_round_is_never_paused(
        order in Just((0..24_u32).collect::<Vec<_>>()).prop_shuffle(),
        fields in 1..24_usize,
        waits in prop::collection::vec(2_500..20_000_u64, 24),
    ) {
        let mut script = Script::new();
        let mut left: Vec<String> = order[..fields].iter().map(|field| format!("field{field}")).collect();
        for wait in waits {
            let end = if left.is_empty() { End::Ok("booked".to_owned()) } else { End::Bad(left.clone()) };
            let said = script.call(&Step::new("book", format!("{{\"offset\":{}}}", left.len()), end));
            prop_assert_eq!(said.words(), "ok");
            script.wait(wait);
            if left.pop().is_none() {
                break;
            }
        }
    }

    #[test]
    fn a_tool_that_always_fails_gets_one_probe_after_each_pause(gaps in prop::collection::vec(1_u64..60_000, 200)) {
        let mut script = Script::new();
        let (mut failed, mut pause) = (0, 0);
        let mut until = 0_u64;
        let mut now = 0;
        for gap in gaps {
            let said = script.call(&err("load", "{}", "No."));
            if said.words().contains("same_tool_rate") {
                // A different rule, which counts the calls that ran.
            } else if now < until {
                prop_assert!(said.rejected_by().is_some(), "at {} before {}", now, until);
            } else {
                prop_assert_eq!(said.rejected_by(), None, "at {} after {}", now, until);
                failed += 1;
                if failed >= 3 {
                    pause = if pause == 0 { 30_000 } else { (pause * 2).min(300_000) };
                    until = now + pause;
                }
            }
            script.wait(gap);
            now += gap;
        }
    }

    #[test]
    fn calls_with_new_results_are_never_rejected(
        steps in prop::collection::vec((0..4_usize, 0..5_u64, 0_u64..2_000), 1..200),
    ) {
        let mut script = Script::new();
        let tools = ["load", "search", "write_file", "list"];
        for (number, (tool, failures, wait)) in steps.into_iter().enumerate() {
            // Up to four failures before the successful call, each with a different error and too slow for a rate limit.
            for failure in 0..failures {
                let said = script.call(&err(tools[tool], "{}", format!("{number} {failure}")));
                prop_assert_eq!(said.rejected_by(), None);
                script.wait(2_500);
            }
            let said = script.call(&ok(tools[tool], number.to_string(), number.to_string()));
            prop_assert_eq!(said.rejected_by(), None, "{}", number);
            script.wait(wait);
        }
    }

    #[test]
    fn the_fourth_equal_call_or_failure_in_a_row_is_rejected(
        before in steps(),
        has_failed in any::<bool>(),
        wait in 0_u64..7_000,
    ) {
        let mut script = Script::new();
        play(&mut script, &before);
        script.wait(600_000);
        let step = |number: usize| {
            if has_failed { err("load", number.to_string(), "a new error") } else { ok("load", r#"{"q":"z"}"#, "a new result") }
        };
        let said: Vec<_> = (0..4).map(|number| {
            let said = script.call(&step(number)).rejected_by();
            script.wait(wait);
            said
        }).collect();
        prop_assert!(said.iter().any(Option::is_some), "{:?}", said);
    }

    #[test]
    fn the_order_of_a_batch_changes_nothing(
        failures in 0..3_usize,
        ends in prop::collection::vec(any::<bool>(), 1..6),
        rotation in 0..6_usize,
    ) {
        let play = |ends: &[bool]| {
            let mut script = Script::new();
            for number in 0..failures {
                script.call(&err("load", number.to_string(), "No."));
                script.wait(3_000);
            }
            let steps: Vec<_> = ends.iter().enumerate().map(|(number, is_good)| {
                if *is_good { ok("load", format!("{number}"), "x") } else { err("load", format!("{number}"), "No.") }.within(0)
            }).collect();
            let rejected = script.decide(&steps).iter().filter(|said| said.rejected_by().is_some()).count();
            script.wait(3_000);
            (rejected, script.call(&ok("load", "99", "x")).rejected_by())
        };
        let mut rotated = ends.clone();
        rotated.rotate_left(rotation % ends.len());
        let played = play(&ends);
        prop_assert_eq!(played, play(&rotated));
        prop_assert_eq!(played.0, 0, "all calls were admitted before the first one ended");
    }
}
