//! Throttle settings in the attributes of functions and of members.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};
use tool_runtime::container::IntoContainer;
use tool_runtime::{ToolError, plugin_container, tool};

use super::Run;

/// The state of a build.
#[tool(polling)]
fn status() -> &'static str {
    "running"
}

/// Ends it all.
#[tool(unlimited)]
fn finish(
    /// Set if it cannot be ended.
    fail: bool,
) -> Result<(), ToolError> {
    if fail { Err(ToolError::new("Not yet.")) } else { Ok(()) }
}

/// A try.
#[tool(throttle(
    consecutive_failures(limit = 2, first = 5, factor = 3, cap = 10),
    same_error = false,
    same_tool_rate(calls = 2, seconds = 4)
))]
fn flaky(
    /// Set if it fails.
    fail: bool,
) -> Result<(), ToolError> {
    if fail { Err(ToolError::new("No.")) } else { Ok(()) }
}

struct Desk(AtomicU32);

/// The things on the desk.
#[plugin_container]
impl Desk {
    /// What lies there.
    #[tool(volatile("time", "id"))]
    fn look(&self) -> Value {
        let time = self.0.fetch_add(1, Ordering::Relaxed);
        json!({"rows": [{"id": time}], "time": time})
    }

    /// The things on the desk, with the time.
    #[tool]
    fn watch(&self) -> Value {
        json!({"time": self.0.fetch_add(1, Ordering::Relaxed)})
    }
}

fn run() -> Run {
    let desk = Desk(AtomicU32::new(0)).into_container();
    Run::of(|builder| builder.tool(StatusTool).tool(FinishTool).tool(FlakyTool).container(desk.always_expanded()))
}

#[test]
fn a_polling_tool_may_repeat_its_result() {
    let run = run();
    for _ in 0..20 {
        assert_eq!(run.said("status", &json!({})), "ok");
    }
    assert_eq!(super::words(&run.call_at_once("status", "{}")), "ok");
    assert_eq!(
        super::words(&run.call_at_once("status", "{}")),
        "same_tool_rate 1000",
        "its rate still counts what is not new"
    );
}

#[test]
fn an_unlimited_tool_is_never_rejected() {
    let run = run();
    for _ in 0..20 {
        assert_eq!(super::words(&run.call_at_once("finish", r#"{"fail": true}"#)), "tool_error");
    }
}

#[test]
fn a_tool_has_its_own_limits() {
    let run = run();
    let fail = json!({"fail": true});
    assert_eq!(run.said("flaky", &fail), "tool_error + flaky has failed once. After one more failure it is paused.");
    assert_eq!(run.said("flaky", &fail), "tool_error");
    assert_eq!(run.said("flaky", &fail), "consecutive_failures 2000");
    assert_eq!(run.said("flaky", &fail), "tool_error", "the probe");
    assert_eq!(run.said("flaky", &fail), "consecutive_failures 7000", "three times as long, but ten at most");
    run.wait(7);
    assert_eq!(super::words(&run.call_at_once("flaky", r#"{"fail": false}"#)), "ok");
    assert_eq!(
        super::words(&run.call_at_once("flaky", r#"{"fail": false}"#)),
        "ok + flaky was called 2 times in a row with the same arguments and gave the same result. Once more and this call is paused."
    );
    assert_eq!(super::words(&run.call_at_once("flaky", r#"{"fail": false}"#)), "ok");
    assert_eq!(super::words(&run.call_at_once("flaky", r#"{"fail": true}"#)), "same_tool_rate 4000");
}

#[test]
fn results_that_differ_only_in_volatile_members_are_equal() {
    let run = run();
    let said = |tool: &str| (0..4).fold(String::new(), |_, _| run.said(tool, &json!({})));
    assert_eq!(said("look"), "identical_call 27000");
    assert_eq!(said("watch"), "ok");
}
