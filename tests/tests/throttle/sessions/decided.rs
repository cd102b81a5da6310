//! Throttling of calls that the host decides about, and of calls that need approval.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::session::Completion;
use tool_runtime::tool::Payload;
use tool_runtime::toolbox::Guard;
use tool_runtime::{ToolError, tool};

use super::{Run, fail, words};

fn deferring() -> Run {
    Run::of(|builder| builder.before_call(|_: &ProposedCall<'_>| Verdict::Defer))
}

fn complete(run: &Run, completion: impl Into<Completion>) -> String {
    words(&run.session.complete("call_1", completion).expect("the call waits"))
}

#[test]
fn a_result_of_the_host_ends_a_series_of_failures() {
    let run = deferring();
    for _ in 0..5 {
        for number in [10, 11] {
            assert_eq!(run.said("load", &json!({"number": number})).split(" + ").next(), Some("validation_error"));
        }
        assert_eq!(run.said("load", &json!({})), "deferred");
        assert_eq!(complete(&run, "done"), "ok");
        run.wait(120);
    }
}

#[test]
fn a_failure_of_the_host_counts_like_one_of_the_tool() {
    let run = deferring();
    for _ in 0..3 {
        assert_eq!(run.said("load", &json!({})), "deferred");
        assert!(complete(&run, ToolError::new("No.")).starts_with("tool_error"));
    }
    assert_eq!(run.said("load", &json!({})), "same_error 27000");
    assert!(run.session.deferred_calls().is_empty());
}

#[test]
fn a_decision_of_the_host_is_counted_once_and_pauses_nothing() {
    let run = deferring();
    for round in 0..10 {
        assert_eq!(run.said("load", &json!({"say": "x"})), "deferred");
        match round % 3 {
            0 => assert_eq!(complete(&run, Completion::denied("No.")), "denied"),
            1 => assert_eq!(complete(&run, Completion::cancelled()), "cancelled"),
            _ => assert!(run.session.cancel("call_1")),
        }
    }
    assert_eq!(run.said("load", &json!({})), "deferred");
    assert_eq!(complete(&run, "four"), "ok");
    let statistics = run.session.statistics();
    let load = &statistics.tools[0];
    assert_eq!((load.calls, load.undecided, load.failures, load.result_bytes), (11, 10, 0, 4));
    let denying = Run::of(|builder| builder.before_call(|_: &ProposedCall<'_>| Verdict::deny("No.")));
    for _ in 0..10 {
        assert_eq!(denying.said("load", &json!({})), "denied");
    }
    let load = &denying.session.statistics().tools[0];
    assert_eq!((load.calls, load.undecided, load.failures), (10, 10, 0));
}

#[test]
fn the_hook_is_not_called_for_a_paused_tool() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let run = Run::of(|builder| {
        builder.before_call(move |_: &ProposedCall<'_>| {
            counted.fetch_add(1, Ordering::SeqCst);
            Verdict::Run
        })
    });
    for _ in 0..3 {
        let _ = run.call("load", &fail());
    }
    assert_eq!(asked.load(Ordering::SeqCst), 3);
    assert_eq!(run.said("load", &fail()), "same_error 27000");
    assert_eq!(asked.load(Ordering::SeqCst), 3);
    assert_eq!(run.session.statistics().tools[0].throttled, 1);
    run.wait(27);
    assert_eq!(run.said("load", &json!({})), "ok");
    assert_eq!(asked.load(Ordering::SeqCst), 4);
}

#[test]
fn approved_calls_run_however_many_there_are() {
    let run = deferring();
    let calls: Vec<_> =
        (0..8).map(|call| (format!("call_{call}"), "load", json!({"number": call}).to_string())).collect();
    let batch = pollster::block_on(run.session.call_batch(calls.clone()));
    assert!(batch.outcomes().iter().all(tool_runtime::Outcome::is_deferred));
    for (id, ..) in &calls {
        let outcome = pollster::block_on(run.session.resume(id)).expect("the call waits");
        assert!(outcome.is_ok(), "{}", outcome.to_text());
    }
}

#[test]
fn an_approved_batch_counts_as_one_failure() {
    let run = deferring();
    for _ in 0..2 {
        let calls: Vec<_> = (0..3).map(|call| (format!("call_{call}"), "load", fail().to_string())).collect();
        let _ = pollster::block_on(run.session.call_batch(calls.clone()));
        for (id, ..) in &calls {
            let outcome = pollster::block_on(run.session.resume(id)).expect("the call waits");
            assert_eq!(words(&outcome).split(" + ").next(), Some("tool_error"));
        }
        run.wait(3);
    }
    assert_eq!(run.said("load", &json!({})), "deferred", "two batches have failed, not six calls");
}

#[test]
fn a_result_of_the_host_after_the_pause_opens_the_tool() {
    let run = deferring();
    for _ in 0..3 {
        let _ = run.call("load", &json!({"number": 10}));
    }
    run.wait(30);
    assert_eq!(run.said("load", &json!({})), "deferred");
    assert_eq!(complete(&run, "done"), "ok");
    assert_eq!(
        run.said("load", &json!({"number": 10})),
        "validation_error",
        "it would be a probe, and fail for longer"
    );
    assert_eq!(run.said("load", &json!({"number": 11})).split(" + ").next(), Some("validation_error"));
}

#[test]
fn a_failure_of_the_host_after_the_pause_starts_a_longer_pause() {
    let run = deferring();
    for _ in 0..3 {
        let _ = run.call("load", &json!({"number": 10}));
    }
    run.wait(30);
    assert_eq!(run.said("load", &json!({})), "deferred");
    assert_eq!(complete(&run, ToolError::new("No.")), "tool_error");
    assert_eq!(run.said("load", &json!({})), "consecutive_failures 57000");
}

#[test]
fn a_hook_that_panics_pauses_no_tool() {
    let run = Run::of(|builder| builder.before_call(|_: &ProposedCall<'_>| -> Verdict { panic!("no rule for this") }));
    for _ in 0..10 {
        assert_eq!(run.said("load", &json!({})), "internal_error");
    }
}

/// Rows, and when they were read.
#[tool(volatile("at"))]
fn rows() {}

#[test]
fn a_repeated_call_is_recognised_whatever_the_guard_does_to_its_results() {
    for guard in [Guard::new(), Guard::new().mark_as_data(true), Guard::new().cut_to(Some(256))] {
        let run =
            Run::of(|builder| builder.tool(RowsTool).guard(guard).before_call(|_: &ProposedCall<'_>| Verdict::Defer));
        for at in 0..3 {
            assert_eq!(run.said("rows", &json!({})), "deferred");
            let rows = "x".repeat(1_000);
            let result =
                Payload::json(&json!({"at": at.to_string().repeat(9), "rows": rows})).expect("a value is JSON");
            let said = complete(&run, result);
            assert!(said.starts_with("ok"), "{said}");
        }
        assert_eq!(run.said("rows", &json!({})), "identical_call 27000");
    }
}
