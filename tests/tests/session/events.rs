//! Every decision is told to the observer, in order.

use std::sync::Arc;

use tool_runtime::tool::CallError;
use tool_runtime::{ToolError, Toolbox};

use super::tools::{Log, call, group, named, sync};

fn check(calls: &[(&str, &str)], expect: &[&str]) {
    let log = Arc::new(Log::default());
    let fails = |_: &_| Err(CallError::Tool(ToolError::new("Closed.").caused_by("disk 3 is full")));
    let builder =
        Toolbox::builder().tool(named("get_time")).tool(sync("fails", fails)).container(group("Math", &["add"]));
    let session = builder.observer(Arc::clone(&log)).build().expect("all names differ").session();
    for (name, arguments) in calls {
        let _ = call(&session, name, arguments);
    }
    assert_eq!(log.take(), expect.iter().map(|line| format!("call_1: {line}")).collect::<Vec<_>>());
}

#[test]
fn a_good_call() {
    check(&[("get_time", "{}")], &["received get_time", "executed get_time: get_time"]);
}

#[test]
fn a_repaired_name() {
    check(&[("GetTime", "{}")], &["received GetTime", "repaired GetTime to get_time", "executed get_time: get_time"]);
}

#[test]
fn a_container_and_its_member() {
    check(
        &[("add", ""), ("Math", ""), ("add", "")],
        &[
            "received add",
            "rejected add: container_not_expanded (-)",
            "received Math",
            "expanded Math",
            "received add",
            "executed add: add",
        ],
    );
}

#[test]
fn an_error_with_its_causes() {
    check(&[("fails", "{}")], &["received fails", "rejected fails: tool_error (Closed.: disk 3 is full)"]);
}

#[test]
fn an_unknown_tool() {
    check(&[("nobody", "{}")], &["received nobody", "rejected nobody: unknown_tool (-)"]);
}
