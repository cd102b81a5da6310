//! Batches: the throttle decides about all calls before any of them runs, so neither their order nor the kind of the tool matters.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::throttle::SessionLimits;
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{ToolError, tool};

use super::{Run, fail, words};

/// Fails where it is told to, after a while.
#[tool(undocumented)]
async fn later(fail: Option<String>) -> Result<String, ToolError> {
    std::future::ready(()).await;
    fail.map_or_else(|| Ok("done".to_owned()), |error| Err(ToolError::new(error)))
}

pub(super) fn batch(run: &Run, calls: &[(&str, Value)]) -> Vec<String> {
    let calls: Vec<_> = calls
        .iter()
        .enumerate()
        .map(|(id, (tool, arguments))| (id.to_string(), *tool, arguments.to_string()))
        .collect();
    let outcomes = pollster::block_on(run.session.call_batch(calls)).into_outcomes();
    outcomes.iter().map(|outcome| words(outcome).split(" + ").next().unwrap_or_default().to_owned()).collect()
}

fn with_later(builder: ToolboxBuilder) -> ToolboxBuilder {
    builder.tool(LaterTool)
}

#[test]
fn the_order_of_a_batch_and_the_kind_of_the_tool_make_no_difference() {
    for tool in ["load", "later"] {
        for is_asked in [false, true] {
            for good_first in [false, true] {
                let run = Run::of(|builder| {
                    let builder = with_later(builder);
                    if is_asked { builder.before_call(|_: &ProposedCall<'_>| Verdict::Run) } else { builder }
                });
                for _ in 0..2 {
                    let _ = run.call(tool, &fail());
                }
                let (good, bad) = ((tool, json!({})), (tool, fail()));
                let (calls, expected) =
                    if good_first { ([good, bad], ["ok", "tool_error"]) } else { ([bad, good], ["tool_error", "ok"]) };
                assert_eq!(batch(&run, &calls), expected, "{tool}");
                // The success has ended the series of failures, whichever call came first.
                assert_eq!(run.said(tool, &fail()).split(" + ").next(), Some("tool_error"), "{tool}");
                assert_eq!(run.said(tool, &json!({})).split(" + ").next(), Some("ok"), "{tool}");
            }
        }
    }
}

#[test]
fn a_failing_batch_starts_one_pause() {
    let run = Run::of(with_later);
    let failing = |number: u8| json!({"fail": "No.", "number": number});
    for number in 0..2 {
        let _ = run.call("load", &failing(number));
    }
    assert_eq!(batch(&run, &[2, 3, 4].map(|number| ("load", failing(number)))), ["tool_error"; 3]);
    assert_eq!(batch(&run, &[("load", json!({})), ("later", json!({}))]), ["same_error 30000", "ok"]);
}

#[test]
fn every_repetition_counts_in_any_spelling() {
    let run = Run::new();
    let different = (0..64).map(|number| ("load", json!({"say": number.to_string()})));
    let equal = (0..200).map(|number| match number % 3 {
        0 => ("load", json!({"number": 7, "say": "x"})),
        1 => ("load", json!({"say": "x", "number": "7", "fail": null})),
        _ => ("load", json!({"say": "x", "number": 7.0, "panic": ""})),
    });
    let calls: Vec<_> = different.chain(equal).collect();
    let said = batch(&run, &calls);
    let rejected = said.iter().filter(|said| said.starts_with("same_tool_rate")).count();
    assert_eq!((rejected, said.iter().filter(|said| *said == "ok").count()), (195, 69));
    let statistics = run.session.statistics();
    assert_eq!((statistics.tools[0].calls, statistics.tools[0].throttled), (69, 195));
    assert_eq!(statistics.total_calls_last_60s, 264);
}

#[test]
fn one_call_of_a_batch_is_the_probe_after_a_pause() {
    let run = Run::new();
    for _ in 0..3 {
        let _ = run.call("load", &fail());
    }
    run.wait(30);
    assert_eq!(
        batch(&run, &[("load", json!({"number": 1})), ("load", json!({"number": 2}))]),
        ["ok", "same_error 30000"]
    );
    assert_eq!(run.said("load", &json!({"number": 2})), "ok");
}

#[test]
fn a_batch_that_never_starts_is_not_counted() {
    let run = Run::new();
    for _ in 0..3 {
        let _ = run.call("load", &fail());
    }
    run.wait(30);
    {
        // The first call never ends, so the probe behind it never starts.
        let calls = [("0", "wait", "{}"), ("1", "load", "{}")];
        let mut batch = std::pin::pin!(run.session.call_batch(calls).max_concurrency(1));
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(batch.as_mut().poll(&mut cx).is_pending());
        assert_eq!(words(&run.call_at_once("load", "{}")), "same_error 30000");
    }
    assert_eq!(words(&run.call_at_once("load", "{}")), "ok");
    let load = &run.session.statistics().tools[0];
    assert_eq!((load.calls, load.undecided), (4, 0));
}

#[test]
fn a_call_of_a_member_expanded_in_its_batch_is_counted_once() {
    let run = Run::new();
    let said = batch(&run, &[("hidden", json!({})), ("Box", json!({})), ("hidden", json!({}))]);
    assert_eq!(said, ["container_not_expanded", "ok", "ok"]);
    let statistics = run.session.statistics();
    let of_tools: u64 = statistics.tools.iter().map(|tool| tool.calls + tool.throttled).sum();
    assert_eq!((of_tools, statistics.total_calls_last_60s), (3, 3));
}

#[test]
fn the_hook_is_not_called_for_a_rejected_repetition() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let run = Run::of(|builder| {
        builder.before_call(move |_: &ProposedCall<'_>| {
            counted.fetch_add(1, Ordering::SeqCst);
            Verdict::Run
        })
    });
    let said = batch(&run, &vec![("load", json!({"number": 1})); 20]);
    assert_eq!(said.iter().filter(|said| *said == "ok").count(), 5);
    assert_eq!(asked.load(Ordering::SeqCst), 5);
}

#[test]
fn strict_limits_count_a_batch_of_different_calls_once() {
    let run = Run::with(&SessionLimits::strict());
    let calls: Vec<_> = (0..8).map(|number| ("load", json!({"say": number.to_string()}))).collect();
    assert_eq!(batch(&run, &calls), ["ok"; 8]);
}
