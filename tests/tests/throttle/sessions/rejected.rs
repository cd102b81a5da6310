//! A pause that only rejected arguments have caused: valid arguments run during the pause, one call at a time.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_runtime::clock::SimulatedClock;
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::session::{SessionSetup, SessionState};
use tool_runtime::{Session, Toolbox, tool};

use super::batch::batch;
use super::{LoadTool, Run, json_of, words};

const OTHERS: &str = "Do not repeat this call. Use another tool, other arguments, or answer with what you have.";
const NO_OTHERS: &str = "Do not repeat this call. Use another tool, or answer with what you have.";

fn bad() -> Value {
    json!({"number": 10})
}

fn good(number: usize) -> Value {
    json!({"say": number.to_string()})
}

/// Makes three rejected calls, after which the tool is paused.
fn pause(run: &Run, tool: &str) {
    for _ in 0..3 {
        let said = run.said(tool, &bad());
        assert_eq!(said.split(" + ").next(), Some("validation_error"));
    }
}

#[test]
fn valid_calls_run_and_rejected_ones_wait() {
    for is_asked in [false, true] {
        let run = Run::of(
            |builder| {
                if is_asked { builder.before_call(|_: &ProposedCall<'_>| Verdict::Run) } else { builder }
            },
        );
        pause(&run, "load");
        let rejected = run.call("load", &bad());
        assert_eq!(words(&rejected), "same_error 27000");
        assert_eq!(json_of(&rejected)["retry_guidance"], OTHERS);
        assert_eq!(words(&run.call_at_once("load", "{")), "same_error 27000", "text that is not JSON");
        // The first of them ends the pause, and the failures are counted anew.
        for number in 0..5 {
            assert_eq!(run.said("load", &good(number)), "ok");
        }
        assert_eq!(run.said("load", &bad()), "validation_error");
        let load = &run.session.statistics().tools[0];
        assert_eq!((load.calls, load.throttled), (9, 2));
    }
}

#[test]
fn a_repaired_call_is_valid() {
    let run = Run::new();
    pause(&run, "load");
    assert_eq!(words(&run.call_at_once("load", "{'number': '7'}")), "ok");
}

#[test]
fn one_valid_call_of_a_batch_runs() {
    let run = Run::new();
    pause(&run, "load");
    let calls = [("load", bad()), ("load", good(1)), ("load", good(2)), ("search", good(1)), ("load", bad())];
    let said = batch(&run, &calls);
    assert_eq!(said, ["same_error 30000", "ok", "same_error 30000", "ok", "same_error 30000"]);
    assert_eq!(batch(&run, &calls[1..3]), ["ok", "ok"]);
}

#[test]
fn valid_calls_that_fail_count_as_before() {
    let run = Run::new();
    pause(&run, "load");
    let failed = |error: &str| run.said("load", &json!({ "fail": error }));
    assert_eq!(failed("One."), "tool_error + load has failed 4 times in a row. After 2 more failures it is paused.");
    // The pause is over, because it was not the only reason for the failures.
    assert_eq!(failed("Two."), "tool_error");
    assert_eq!(failed("Three."), "tool_error");
    let rejected = run.call("load", &good(1));
    assert_eq!(words(&rejected), "consecutive_failures 27000");
    assert_eq!(json_of(&rejected)["retry_guidance"], NO_OTHERS);
    run.wait(27);
    assert_eq!(run.said("load", &good(1)), "ok");
}

#[test]
fn a_failure_of_the_tool_pauses_it_for_all_arguments() {
    for failing in [json!({"fail": "No."}), json!({"ask": "say"}), json!({"panic": "now"})] {
        let run = Run::new();
        for number in 0..3 {
            let mut failing = failing.clone();
            failing["number"] = number.into();
            let _ = run.call("load", &failing);
        }
        let rejected = run.call("load", &good(1));
        assert_eq!(words(&rejected), "same_error 27000", "{failing}");
        assert_eq!(json_of(&rejected)["retry_guidance"], NO_OTHERS);
    }
}

#[test]
fn rejections_of_several_kinds_pause_only_rejected_calls() {
    let run = Run::new();
    let bads = [json!({"number": 10}), json!({"number": []}), json!({"say": 3, "number": 10})];
    let mut number = 0;
    let rejected = loop {
        let outcome = run.call("load", &bads[number % 3]);
        if outcome.failure().is_some_and(|failure| failure.error_type() == "throttled") {
            break outcome;
        }
        number += 1;
        assert!(number < 20, "a loop");
    };
    assert_eq!(json_of(&rejected)["retry_guidance"], OTHERS);
    assert_eq!(run.said("load", &good(1)), "ok");
}

#[test]
fn a_valid_call_without_a_new_result_leaves_the_pause() {
    let run = Run::new();
    let mut rejected = 0;
    // Without the pause, this loop would go on forever: each success would end it.
    for _ in 0..20 {
        for arguments in [bad(), bad(), bad(), good(1)] {
            let outcome = run.call("load", &arguments);
            rejected += usize::from(json_of_failure(&outcome) == "throttled");
        }
    }
    assert!(rejected > 40, "only {rejected} of 80 calls were rejected");
    run.wait(300);
    assert_eq!(run.said("load", &good(2)), "ok");
}

fn json_of_failure(outcome: &tool_runtime::Outcome) -> &str {
    outcome.failure().map_or("ok", |failure| failure.error_type())
}

#[test]
fn other_calls_wait_while_a_valid_call_runs() {
    /// Never answers.
    #[tool(undocumented)]
    async fn stay(#[tool(range(max = 9))] number: u8) -> u8 {
        std::future::pending::<()>().await;
        number
    }
    let run = Run::of(|builder| builder.tool(StayTool));
    pause(&run, "stay");
    {
        let mut probe = pin!(run.session.call("call_1", "stay", r#"{"number": 1}"#));
        assert!(probe.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        let waits = run.call_at_once("stay", r#"{"number": 2}"#);
        let told = json_of(&waits);
        assert!(told["error_message"].as_str().is_some_and(|text| text.contains("the others wait for it")), "{told}");
        assert_eq!((&told["retry_guidance"], words(&waits)), (&json!(NO_OTHERS), "same_error 30000".to_owned()));
        assert_eq!(words(&run.call_at_once("stay", r#"{"number": 10}"#)), "same_error 30000");
    }
    // The call was dropped, so another one may run.
    let mut next = pin!(run.session.call("call_2", "stay", r#"{"number": 2}"#));
    assert!(next.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
}

#[test]
fn a_denied_call_lets_the_next_valid_call_run() {
    let verdict = |call: &ProposedCall<'_>| {
        if call.arguments().to_text().contains("no") { Verdict::Deny("No.".into()) } else { Verdict::Run }
    };
    let run = Run::of(|builder| builder.before_call(verdict));
    pause(&run, "load");
    assert_eq!(run.said("load", &json!({"say": "no"})), "denied");
    assert_eq!(run.said("load", &bad()), "same_error 24000");
    assert_eq!(run.said("load", &good(1)), "ok");
}

fn toolbox(clock: &SimulatedClock) -> Toolbox {
    Toolbox::builder().tool(LoadTool).clock(clock.clone()).build().expect("the toolbox is valid")
}

fn restored(clock: &SimulatedClock, state: &str) -> Session {
    let state: SessionState = serde_json::from_str(state).expect("it was saved");
    toolbox(clock).restore(state, SessionSetup::new()).expect("it fits")
}

fn said(session: &Session, arguments: &Value) -> String {
    words(&pollster::block_on(session.call("call_1", "load", arguments.to_string())))
}

#[test]
fn a_restored_session_knows_what_has_caused_a_pause() {
    let clock = SimulatedClock::new();
    let session = toolbox(&clock).session();
    for number in 10..13 {
        let _ = said(&session, &json!({ "number": number }));
    }
    let state = serde_json::to_string(&session.snapshot().expect("it can be saved")).expect("it is JSON");
    let session = restored(&clock, &state);
    assert_eq!(said(&session, &bad()), "same_error 30000");
    assert_eq!(said(&session, &good(1)), "ok");
    assert_eq!(said(&session, &good(2)), "ok");

    // Earlier versions did not save the cause.
    let earlier = state.replace(r#""admits_valid":true,"#, "");
    assert_ne!(earlier, state);
    let session = restored(&clock, &earlier);
    assert_eq!(said(&session, &good(1)), "same_error 30000");
    clock.advance(Duration::from_secs(30));
    assert_eq!(said(&session, &good(1)), "ok");
}

/// One call, and the milliseconds before it.
fn step(kinds: std::ops::Range<u8>) -> impl Strategy<Value = (u64, u8, u8)> {
    (2_500..20_000_u64, kinds, 0..3_u8)
}

/// Returns rejected arguments, arguments with which the tool fails, or valid arguments.
fn arguments(kind: u8, variant: u8, number: usize) -> Value {
    match kind {
        0 | 1 => [json!({"number": 10}), json!({"number": []}), json!({"say": 3})][usize::from(variant)].clone(),
        2 => json!({"fail": format!("No {variant}.")}),
        3 => json!({"ask": "say", "number": variant}),
        4 => good(usize::from(variant)),
        _ => good(100 + number),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(tests::cases(64)))]

    #[test]
    fn no_rejection_makes_a_new_valid_call_wait(steps in prop::collection::vec(step(0..2), 1..60), restarts in any::<bool>()) {
        let clock = SimulatedClock::new();
        let mut session = toolbox(&clock).session();
        for (number, (milliseconds, kind, variant)) in steps.into_iter().enumerate() {
            clock.advance(Duration::from_millis(milliseconds));
            let _ = said(&session, &arguments(kind, variant, number));
            if number % 7 == 6 {
                prop_assert_eq!(said(&session, &good(number)), "ok");
            }
            if restarts && number % 5 == 4 {
                let state = serde_json::to_string(&session.snapshot().expect("it can be saved")).expect("it is JSON");
                session = restored(&clock, &state);
            }
        }
        prop_assert_eq!(said(&session, &good(1_000)), "ok");
    }

    #[test]
    fn a_restored_session_decides_like_an_undisturbed_one(steps in prop::collection::vec(step(0..6), 1..60)) {
        let clock = SimulatedClock::new();
        let undisturbed = toolbox(&clock).session();
        let mut session = toolbox(&clock).session();
        for (number, (milliseconds, kind, variant)) in steps.into_iter().enumerate() {
            clock.advance(Duration::from_millis(milliseconds));
            let arguments = arguments(kind, variant, number);
            prop_assert_eq!(said(&session, &arguments), said(&undisturbed, &arguments), "call {}", number);
            if variant == 0 {
                let state = serde_json::to_string(&session.snapshot().expect("it can be saved")).expect("it is JSON");
                session = restored(&clock, &state);
            }
        }
    }

    #[test]
    fn a_tool_that_always_fails_rarely_runs(steps in prop::collection::vec(step(0..4), 100..200)) {
        let run = Run::new();
        let mut ran = BTreeMap::new();
        for (number, (_, kind, variant)) in steps.into_iter().enumerate() {
            let outcome = run.call("load", &arguments(kind, variant, number));
            *ran.entry(json_of_failure(&outcome).to_owned()).or_insert(0) += 1;
        }
        // Six failures, and one probe after each pause of 30, 60, 120 and 240 seconds. Each new set of issues starts the count anew.
        prop_assert!(ran.get("tool_error").is_none_or(|ran| *ran <= 24), "{:?}", ran);
        prop_assert!(ran["throttled"] > 60, "{:?}", ran);
    }

    #[test]
    fn each_pause_ends(steps in prop::collection::vec(step(0..6), 1..80)) {
        let run = Run::new();
        for (number, (milliseconds, kind, variant)) in steps.into_iter().enumerate() {
            run.clock.advance(Duration::from_millis(milliseconds));
            let outcome = run.call_at_once("load", &arguments(kind, variant, number).to_string());
            let Some(wait) = outcome.failure().filter(|failure| failure.error_type() == "throttled") else { continue };
            prop_assert!(wait.retry_after().is_some_and(|wait| wait <= Duration::from_secs(300)), "{:?}", wait);
        }
        run.wait(300);
        prop_assert_eq!(run.said("load", &good(1_000)), "ok");
    }
}
