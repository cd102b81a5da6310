//! Every rule of section 5 of docs/wire.md, tested through the public API.

use std::time::Duration;

use serde_json::json;
use tool_runtime::throttle::{RateLimit, SessionLimits};

use super::{Run, fail, json_of};

#[test]
fn the_rejection_after_consecutive_failures_is_byte_exact() {
    let run = Run::new();
    for path in ["a", "b", "c", "d", "e"] {
        let _ = run.call("read_file", &json!({"fail": format!("There is no file {path}.")}));
    }
    let sixth = run.call("read_file", &json!({"number": 10}));
    assert_eq!(sixth.failure().map(tool_runtime::Failure::error_type), Some("validation_error"));
    let rejected = run.call_at_once("read_file", "{}");
    assert_eq!(
        rejected.to_text(),
        concat!(
            r#"{"error_type":"throttled","tool":"read_file","rule":"consecutive_failures","#,
            r#""error_message":"Tool 'read_file' has failed 6 times in a row. It is paused to prevent thrashing.","#,
            r#""retry_guidance":"Do not repeat this call. Use another tool, or answer with what you have.","#,
            r#""retry_after_ms":30000,"recovery":"replan"}"#,
        )
    );
    assert_eq!((rejected.call_id(), rejected.tool_name()), ("call_1", "read_file"));
}

#[test]
fn a_warning_comes_before_the_pause() {
    let run = Run::new();
    assert_eq!(run.said("load", &fail()), "tool_error");
    assert_eq!(
        run.said("load", &fail()),
        "tool_error + load has failed 2 times with the same error. After one more failure like it the tool is paused."
    );
    assert_eq!(run.said("load", &fail()), "tool_error");
    assert_eq!(run.said("load", &fail()), "same_error 27000");
}

#[test]
fn a_failing_tool_does_not_pause_another() {
    let run = Run::new();
    let mut said = Vec::new();
    for second in 0..140 {
        let outcome = run.call_at_once("load", &fail().to_string());
        if !json_of(&outcome).to_string().contains("throttled") {
            said.push(second);
        }
        run.wait(1);
        if second % 3 == 0 {
            let other = run.call_at_once("search", &json!({"number": second % 10}).to_string());
            assert!(other.is_ok(), "{}", other.to_text());
        }
    }
    // Three failures, a pause of 30 s, one probe, one of 60 s, another probe.
    assert_eq!(said, [0, 1, 2, 32, 92]);
}

#[test]
fn a_probe_that_succeeds_opens_the_tool() {
    let run = Run::new();
    for _ in 0..3 {
        let _ = run.call("load", &fail());
    }
    run.wait(30);
    assert_eq!(run.said("load", &json!({})), "ok");
    assert_eq!(run.said("load", &fail()), "tool_error");
}

#[test]
fn the_same_error_pauses_the_tool() {
    let mut limits = SessionLimits::default();
    limits.consecutive_failures = None;
    let run = Run::with(&limits);
    let failing = |number| json!({"fail": "No.", "number": number});
    let _ = run.call("load", &failing(1));
    assert_eq!(
        run.said("load", &failing(2)),
        "tool_error + load has failed 2 times with the same error. After one more failure like it the tool is paused."
    );
    let _ = run.call("load", &failing(3));
    assert_eq!(run.said("load", &json!({})), "same_error 27000");
}

#[test]
fn identical_calls_pause_only_that_call() {
    let run = Run::new();
    assert_eq!(run.said("load", &json!({"number": 1})), "ok");
    assert_eq!(
        run.said("load", &json!({"number": 1, "say": null})),
        "ok + load was called 2 times in a row with the same arguments and gave the same result. Once more and this call is paused."
    );
    assert_eq!(run.said("load", &json!({"number": 1})), "ok");
    let rejected = run.call("load", &json!({"say": null, "number": 1}));
    assert_eq!(
        json_of(&rejected)["error_message"],
        "Tool 'load' has been called 3 times in a row with the same arguments and gave the same result. \
         This call is paused to prevent thrashing."
    );
    assert_eq!(run.said("load", &json!({"number": 2})), "ok");
}

#[test]
fn alternating_calls_are_paused() {
    let run = Run::new();
    let said: Vec<_> =
        (0..7).map(|round| run.said(["load", "search"][round % 2], &json!({"number": round % 2}))).collect();
    assert_eq!(
        said,
        [
            "ok",
            "ok",
            "ok",
            "ok + search and load were called in turn 2 times without a new result. Once more and these calls are paused.",
            "ok",
            "ok",
            "alternating_calls 27000",
        ]
    );
}

#[test]
fn the_rate_of_one_tool_is_limited() {
    let run = Run::with(&SessionLimits::strict());
    let call = |number: u8| super::words(&run.call_at_once("load", &json!({"number": number}).to_string()));
    for number in 0..5 {
        assert_eq!(call(number), "ok");
    }
    assert_eq!(call(5), "same_tool_rate 10000");
    run.wait(10);
    assert_eq!(call(6), "ok");
}

#[test]
fn the_rate_of_all_tools_is_limited() {
    let run = Run::with(&SessionLimits::strict());
    for number in 0..10 {
        let arguments = json!({"number": number}).to_string();
        assert!(run.call_at_once(["load", "search"][number % 2], &arguments).is_ok());
    }
    let rejected = run.call_at_once("read_file", "{}");
    assert_eq!(
        (&json_of(&rejected)["rule"], &json_of(&rejected)["error_message"]),
        (
            &json!("overall_rate"),
            &json!(
                "10 calls within 5 seconds failed or returned nothing new. All tools are paused until that is over."
            )
        )
    );
    run.wait(5);
    assert!(run.call_at_once("read_file", "{}").is_ok());
}

#[test]
fn repeated_unknown_names_shorten_the_answer_to_the_list_of_tools() {
    let run = Run::new();
    let said: Vec<_> = (0..5).map(|number| run.said(&format!("lode{number}"), &json!({}))).collect();
    let unknown = "unknown_tool";
    let warned = "unknown_tool + 3 names in a row were invented. Call only tools that exist.";
    assert_eq!(said, [unknown, unknown, warned, unknown, unknown]);
    let shrunk = json_of(&run.call("lode", &json!({})));
    assert_eq!((&shrunk["error_type"], &shrunk["rule"]), (&json!("throttled"), &json!("unknown_tools")));
    assert_eq!(
        shrunk["error_message"],
        "5 names in a row were invented. The tools are: load, search, read_file, wait, Box."
    );
    assert_eq!(shrunk.get("retry_after_ms"), None);
    assert_eq!(run.said("load", &json!({})), "ok");
    assert_eq!(run.said("lode", &json!({})), unknown);
}

#[test]
fn an_exhausted_budget_asks_to_finish_until_the_next_turn() {
    let mut limits = SessionLimits::default();
    limits.run_budget = Some(2);
    let run = Run::with(&limits);
    let _ = run.call("load", &fail());
    let _ = run.call("nobody", &json!({}));
    let rejected = json_of(&run.call("search", &json!({})));
    assert_eq!((&rejected["rule"], &rejected["recovery"]), (&json!("run_budget"), &json!("finish")));
    assert_eq!(rejected["error_message"], "The run has had its 2 failures. No tool can be called any more.");
    run.session.begin_turn();
    assert_eq!(run.said("search", &json!({})), "ok");
}

#[test]
fn correcting_one_field_per_round_never_pauses_the_tool() {
    let run = Run::new();
    let rounds = [
        json!({"say": 1, "fail": 2, "ask": [], "number": 10}),
        json!({"say": 1, "fail": 2, "ask": []}),
        json!({"say": 1, "fail": 2}),
        json!({"say": [], "ask": null}),
        json!({"say": "a"}),
    ];
    // Repair reads the texts as numbers only if no other issue is left, so every round has a different set of issues.
    for arguments in &rounds {
        let said = run.said("load", arguments);
        assert!(!said.contains('+') && !said.contains("000"), "{arguments}: {said}");
    }
    assert_eq!(run.said("load", &rounds[4]).split(' ').next(), Some("ok"));
}

#[test]
fn every_limit_can_be_set() {
    let mut limits = SessionLimits::NONE;
    limits.overall_rate = Some(RateLimit { calls: 1, window: Duration::from_secs(60) });
    let run = Run::with(&limits);
    assert_eq!(run.said("load", &fail()), "tool_error");
    assert_eq!(run.said("search", &json!({})), "overall_rate 57000");
}

#[test]
fn without_a_throttle_nothing_is_paused() {
    let run = Run::of(tool_runtime::toolbox::ToolboxBuilder::no_throttle);
    for _ in 0..50 {
        let outcome = run.call_at_once("load", &fail().to_string());
        assert_eq!(super::words(&outcome), "tool_error");
    }
}
