//! Statistics of a session, as data and as JSON.

use serde_json::{Value, json};

use super::{Run, fail};

#[test]
fn a_session_counts_the_outcomes_of_its_calls() {
    let run = Run::new();
    let _ = run.call("load", &json!({"number": 10}));
    let _ = run.call("load", &json!({"number": "9"}));
    let _ = run.call("search", &fail());
    let _ = run.call("nobody", &json!({}));
    let expansion = run.call("Box", &json!({})).to_text().len();
    let statistics: Value = serde_json::to_value(run.session.statistics()).expect("statistics are JSON");
    assert_eq!(
        statistics,
        json!({
            "total_calls_last_60s": 5,
            "unknown_names": 1,
            "tools_with_failures": ["load", "search"],
            "most_called_tools": [
                {"name": "load", "calls": 2},
                {"name": "search", "calls": 1},
                {"name": "Box", "calls": 1},
            ],
            "tools": [
                {
                    "name": "load", "calls": 2, "failures": 1, "rejected": 1, "undecided": 0, "repaired": 1, "throttled": 0,
                    "tries": 1, "first_tries": 0, "first_try_rate": 0.0, "time_ms": 0,
                    "argument_bytes": 27, "argument_tokens": 7, "result_bytes": 6, "result_tokens": 2,
                    "hints": [{"field": "number", "given": 1, "followed": 1, "success_rate": 1.0}],
                },
                {
                    "name": "search", "calls": 1, "failures": 1, "rejected": 0, "undecided": 0, "repaired": 0, "throttled": 0,
                    "tries": 1, "first_tries": 1, "first_try_rate": 1.0, "time_ms": 0,
                    "argument_bytes": 14, "argument_tokens": 4, "result_bytes": 0, "result_tokens": 0,
                    "hints": [],
                },
                {
                    "name": "Box", "calls": 1, "failures": 0, "rejected": 0, "undecided": 0, "repaired": 0, "throttled": 0,
                    "tries": 1, "first_tries": 1, "first_try_rate": 1.0, "time_ms": 0,
                    "argument_bytes": 0, "argument_tokens": 0, "result_bytes": expansion, "result_tokens": expansion.div_ceil(4),
                    "hints": [],
                },
            ],
        })
    );
}

#[test]
fn rejected_calls_are_counted_separately() {
    let run = Run::new();
    for _ in 0..5 {
        let _ = run.call("load", &fail());
    }
    let load = &run.session.statistics().tools[0];
    assert_eq!((load.calls, load.failures, load.throttled), (3, 3, 2));
}

#[test]
fn a_host_can_end_the_pause_of_one_tool() {
    let run = Run::new();
    for tool in ["load", "search"] {
        for number in 0..3 {
            let _ = run.call(tool, &json!({"fail": "No.", "number": number}));
        }
    }
    assert!(run.session.reset_tool_throttle("load"));
    assert!(!run.session.reset_tool_throttle("nobody"));
    assert_eq!(run.said("load", &json!({})), "ok");
    assert_eq!(run.said("search", &json!({})), "same_error 24000");
    assert_eq!(run.session.statistics().tools.len(), 2);
    run.session.reset_throttle();
    assert!(run.session.statistics().tools.is_empty());
    assert_eq!(run.said("search", &json!({})), "ok");
}

#[test]
fn without_a_throttle_nothing_is_counted() {
    let run = Run::of(tool_runtime::toolbox::ToolboxBuilder::no_throttle);
    let _ = run.call("load", &json!({}));
    assert_eq!(run.session.statistics(), tool_runtime::throttle::Statistics::default());
}
