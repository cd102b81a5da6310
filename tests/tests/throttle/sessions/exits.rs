//! The throttle counts every call exactly once, however the call ends.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use serde_json::{Value, json};
use tool_runtime::container::{ExpansionScope, ExpansionSettings, UnexpandedCallPolicy};
use tool_runtime::event::EventKind;
use tool_runtime::event::{Observer, ToolEvent};

use super::{Run, fail, json_of, words};

/// Asserts that three calls end with the error type and that the throttle stops the fourth.
#[track_caller]
fn counts(run: &Run, tool: &str, arguments: &Value, error_type: &str) {
    for _ in 0..3 {
        let said = run.said(tool, arguments);
        assert_eq!(said.split(" + ").next(), Some(error_type));
    }
    let rejected = run.call(tool, arguments);
    assert_eq!(words(&rejected), "same_error 27000", "{tool}");
}

#[test]
fn failures_of_every_kind_count() {
    counts(&Run::new(), "load", &fail(), "tool_error");
    counts(&Run::new(), "load", &json!({"number": 10}), "validation_error");
    counts(&Run::new(), "load", &json!({"ask": "say"}), "tool_error");
    counts(&Run::new(), "load", &json!({"panic": "The secret is 42."}), "internal_error");
    counts(&Run::new(), "Box", &json!({"say": "x"}), "container_invocation_error");
    counts(&Run::new(), "hidden", &json!({}), "container_not_expanded");
}

#[test]
fn arguments_that_are_not_json_count() {
    let run = Run::new();
    for _ in 0..3 {
        run.wait(3);
        assert_eq!(words(&run.call_at_once("load", "]")).split(" + ").next(), Some("invalid_json"));
    }
    assert_eq!(words(&run.call_at_once("load", "]")), "same_error 30000");
}

#[test]
fn a_panicking_tool_poisons_no_lock() {
    let run = Run::new();
    counts(&run, "load", &json!({"panic": "now"}), "internal_error");
    assert_eq!(run.said("search", &json!({})), "ok");
    run.wait(30);
    assert_eq!(run.said("load", &json!({})), "ok");
}

#[test]
fn cancelled_and_dropped_calls_are_not_counted() {
    let run = Run::new();
    for round in 0..10 {
        run.wait(3);
        let mut call = pin!(run.session.call("call_1", "wait", "{}"));
        assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending(), "round {round}");
        if round % 2 == 0 {
            assert!(run.session.cancel("call_1"));
            let Poll::Ready(outcome) = call.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
                panic!("a cancelled call is answered");
            };
            assert_eq!(words(&outcome), "cancelled");
        }
    }
}

#[test]
fn a_dropped_probe_lets_the_next_call_be_the_probe() {
    let run = Run::new();
    for _ in 0..3 {
        let _ = run.call("wait", &json!({"what": 1}));
    }
    run.wait(30);
    {
        let mut probe = pin!(run.session.call("call_1", "wait", "{}"));
        assert!(probe.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        let waits = run.call_at_once("wait", "{}");
        assert_eq!(
            json_of(&waits)["error_message"],
            "Tool 'wait' has failed 3 times with the same error. One call is trying whether it is different now; the others wait for it."
        );
    }
    let mut next = pin!(run.session.call("call_2", "wait", "{}"));
    assert!(next.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
}

#[test]
fn a_container_can_be_expanded_after_any_number_of_wrong_calls() {
    let run = Run::new();
    counts(&run, "Box", &json!({"say": "x"}), "container_invocation_error");
    assert_eq!(run.said("hidden", &json!({})), "same_error 24000");
    assert_eq!(run.said("Box", &json!({})), "ok");
    assert_eq!(run.said("hidden", &json!({})), "ok");
    assert_eq!(run.said("Box", &json!({"say": "x"})), "container_invocation_error");
}

#[test]
fn a_second_expansion_counts_like_any_other_call() {
    let run = Run::new();
    let said: Vec<_> = (0..4).map(|_| run.said("Box", &json!({})).split(" + ").next().map(str::to_owned)).collect();
    let expected = ["ok", "ok", "ok", "identical_call 27000"].map(|said| Some(said.to_owned()));
    assert_eq!(said, expected);
}

#[test]
fn expanding_again_in_every_turn_is_never_rejected() {
    let run = Run::of(|builder| builder.expansion(ExpansionSettings::new().scope(ExpansionScope::Turn)));
    for _ in 0..10 {
        run.session.begin_turn();
        assert_eq!(run.said("Box", &json!({})), "ok");
    }
}

#[test]
fn a_member_that_runs_with_its_expansion_counts_separately() {
    let run = Run::of(|builder| {
        builder.expansion(ExpansionSettings::new().unexpanded_call_policy(UnexpandedCallPolicy::ExpandAndRun))
    });
    counts(&run, "hidden", &fail(), "tool_error");
    assert_eq!(run.said("Box", &json!({"function": "hidden", "fail": "No."})), "same_error 24000");
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Observer for Log {
    fn event(&self, event: &ToolEvent<'_>) {
        let call_id = event.call_id;
        let line = match event.kind {
            EventKind::Throttled { tool, rule, .. } => format!("{call_id} {tool} throttled by {}", rule.as_str()),
            EventKind::Warned { tool, warning } => format!("{call_id} {tool}: {warning}"),
            EventKind::Rejected { failure, .. } => failure.error_type().to_owned(),
            kind => kind.name().to_owned(),
        };
        self.0.lock().expect("the lock is not poisoned").push(line);
    }
}

#[test]
fn the_observer_receives_warnings_and_pauses() {
    let log = Log::default();
    let run = Run::of(|builder| builder.observer(log.clone()));
    for _ in 0..4 {
        let _ = run.call("load", &fail());
    }
    let events = log.0.lock().expect("the lock is not poisoned");
    assert_eq!(
        *events,
        [
            "received",
            "tool_error",
            "received",
            "tool_error",
            "call_1 load: load has failed 2 times with the same error. After one more failure like it the tool is paused.",
            "received",
            "tool_error",
            "received",
            "call_1 load throttled by same_error",
            "throttled",
        ]
    );
}
