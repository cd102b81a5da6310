//! Calls that a server answers with a task.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tool_runtime::Toolbox;
use tool_runtime::clock::{Clock as _, SimulatedClock};
use tool_runtime::failure::FailureKind;

use super::live::Reports;
use super::script::{Reply, Script, act, list, session, tool};

fn task(status: &str) -> Value {
    json!({"taskId": "t", "status": status, "createdAt": "2026-01-01T00:00:00Z", "lastUpdatedAt": "2026-01-01T00:00:00Z", "ttlMs": null, "pollIntervalMs": 100})
}

fn with(mut value: Value, key: &str, member: Value) -> Reply {
    value[key] = member;
    Reply::Result(value)
}

#[tokio::test]
async fn a_task_is_polled_until_its_result() {
    for (end, key, member, expected) in [
        ("completed", "result", json!({"content": [{"type": "text", "text": "done"}]}), "done"),
        ("failed", "error", json!({"code": 1, "message": "Out of paper."}), "Out of paper."),
        ("cancelled", "x", json!(1), "The server cancelled the task of this call."),
    ] {
        let polls = AtomicUsize::new(0);
        let script = Script::new(move |method, _| match method {
            "tools/list" => list(&[tool("act")]),
            "tools/call" => with(task("working"), "resultType", json!("task")),
            _ if polls.fetch_add(1, Ordering::SeqCst) < 2 => with(task("working"), "resultType", json!("complete")),
            _ => with(task(end), key, member.clone()),
        });
        let outcome = act(&session(&script.connect().await.unwrap())).await;
        assert!(outcome.to_text().contains(expected), "{}", outcome.to_text());
        assert_eq!(script.received("tasks/get").len(), 3);
        assert_eq!(script.received("tasks/cancel").len(), 0);
    }
}

#[tokio::test]
async fn a_dropped_task_is_cancelled() {
    let script = Script::new(move |method, _| match method {
        "tools/list" => list(&[tool("act")]),
        _ => with(task("working"), "resultType", json!(if method == "tools/call" { "task" } else { "complete" })),
    });
    let session = session(&script.connect().await.unwrap());
    let running = tokio::spawn(async move { act(&session).await });
    script.receives("tasks/get").await;
    running.abort();
    assert_eq!(script.receives("tasks/cancel").await["params"]["taskId"], "t");
}

#[tokio::test]
async fn a_cancelled_task_is_cancelled_at_the_server() {
    let script = Script::new(move |method, _| match method {
        "tools/list" => list(&[tool("act")]),
        _ => with(task("working"), "resultType", json!(if method == "tools/call" { "task" } else { "complete" })),
    });
    let session = session(&script.connect().await.unwrap());
    let running = {
        let session = session.clone();
        tokio::spawn(async move { act(&session).await })
    };
    script.receives("tasks/get").await;
    session.cancel("call_1");
    assert_eq!(running.await.unwrap().failure().unwrap().kind(), FailureKind::Cancelled);
    assert_eq!(script.receives("tasks/cancel").await["params"]["taskId"], "t");
}

/// Calls a tool whose task is queued, printed and done, and returns the progress reports.
async fn reports_of_a_task(has_progress: bool) -> Vec<String> {
    let polls = AtomicUsize::new(0);
    let token = Mutex::new(Value::Null);
    let script = Script::new(move |method, params| {
        let working = |message: &str, kind: &str| {
            let mut task = task("working");
            (task["statusMessage"], task["resultType"]) = (json!(message), json!(kind));
            task
        };
        match method {
            "tools/list" => list(&[tool("act")]),
            "tools/call" => {
                *token.lock().unwrap() = params["_meta"]["progressToken"].clone();
                Reply::Result(working("queued", "task"))
            }
            _ => match polls.fetch_add(1, Ordering::SeqCst) {
                0 => Reply::Result(working("queued", "complete")),
                1 => {
                    let report = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {
                        "progressToken": *token.lock().unwrap(), "progress": 50, "total": 100, "message": "half",
                    }});
                    let result = working("printing", "complete").to_string();
                    let result = format!(r#"{{"jsonrpc":"2.0","id":ID,"result":{result}}}"#);
                    Reply::Lines(has_progress.then(|| report.to_string()).into_iter().chain([result]).collect())
                }
                _ => with(task("completed"), "result", json!({"content": [{"type": "text", "text": "done"}]})),
            },
        }
    });
    let server = script.connect().await.unwrap();
    let reports = Arc::default();
    let builder = Toolbox::builder().observer(Reports(Arc::clone(&reports)));
    let session = builder.container(server.container().always_expanded()).build().unwrap().session();
    assert_eq!(act(&session).await.to_text(), "done");
    reports.lock().unwrap().clone()
}

#[tokio::test]
async fn status_messages_of_a_task_are_progress() {
    assert_eq!(reports_of_a_task(false).await, ["1 of None: queued", "2 of None: printing"]);
}

#[tokio::test]
async fn progress_of_a_task_is_reported_after_the_first_response_too() {
    assert_eq!(reports_of_a_task(true).await, ["1 of None: queued", "50 of Some(100.0): half"]);
}

#[tokio::test(start_paused = true)]
async fn a_task_is_not_polled_longer_than_the_server_keeps_it() {
    let clock = SimulatedClock::new();
    let script = Script::new(move |method, _| {
        let mut task = task("working");
        (task["ttlMs"], task["pollIntervalMs"]) = (json!(60_000), json!(10_000));
        match method {
            "tools/list" => list(&[tool("act")]),
            _ => with(task, "resultType", json!(if method == "tools/call" { "task" } else { "complete" })),
        }
    });
    let session = session(&script.connect().clock(clock.clone()).await.unwrap());
    let running = tokio::spawn(async move { act(&session).await });
    script.receives("tools/call").await;
    while !running.is_finished() {
        tokio::time::sleep(Duration::from_millis(20)).await;
        clock.advance(Duration::from_secs(5));
    }
    assert!(clock.now() >= Duration::from_secs(60));
    assert_eq!(running.await.unwrap().failure().unwrap().kind(), FailureKind::Timeout);
    assert_eq!(script.receives("tasks/cancel").await["params"]["taskId"], "t");
}

#[tokio::test]
async fn a_task_that_the_server_has_forgotten_is_an_error() {
    let script = Script::new(move |method, _| match method {
        "tools/list" => list(&[tool("act")]),
        "tools/call" => with(task("working"), "resultType", json!("task")),
        _ => Reply::Error(-32_602, "no such task"),
    });
    let outcome = act(&session(&script.connect().await.unwrap())).await;
    assert!(outcome.to_text().contains("The server lost the task of this call"), "{}", outcome.to_text());
    assert_eq!(script.received("tasks/cancel").len(), 0);
}

#[tokio::test]
async fn a_task_that_never_stops_asking_is_cancelled() {
    let script = Script::new(move |method, _| match method {
        "tools/list" => list(&[tool("act")]),
        "tools/call" => with(task("working"), "resultType", json!("task")),
        "tasks/get" => with(task("input_required"), "inputRequests", json!({})),
        _ => Reply::Result(json!({"resultType": "complete"})),
    });
    let outcome = act(&session(&script.connect().await.unwrap())).await;
    assert!(outcome.to_text().contains("kept asking for more input"), "{}", outcome.to_text());
    assert_eq!(script.received("tasks/update").len(), 10);
    assert_eq!(script.receives("tasks/cancel").await["params"]["taskId"], "t");
}
