//! Progress and cancellation of running calls.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Notify;
use tool_mcp::Server;
use tool_runtime::{CallContext, Toolbox, tool};

use crate::wire::Wire;

/// Copies files.
#[tool]
async fn copy(#[tool(context)] cx: &CallContext) -> &'static str {
    for (count, file) in (0_u32..).zip(["a.txt", "", "c.txt"]) {
        cx.progress(f64::from(count * 50), 100.0, file);
        tokio::task::yield_now().await;
    }
    "copied"
}

struct Ended(Arc<AtomicBool>);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

struct HasEnded(Arc<AtomicBool>);

/// Waits until it is cancelled.
#[tool]
async fn wait(#[tool(state)] ended: &HasEnded, #[tool(context)] cx: &CallContext) {
    let _ended = Ended(Arc::clone(&ended.0));
    cx.progress(1.0, None, "waiting");
    std::future::pending::<()>().await;
}

fn server() -> (Server, Arc<AtomicBool>) {
    let ended = Arc::new(AtomicBool::new(false));
    let builder = Toolbox::builder().tool(CopyTool).tool(WaitTool).state(HasEnded(Arc::clone(&ended)));
    (Server::new(builder.build().expect("the tools are valid")), ended)
}

async fn both(server: &Server) -> [Wire; 2] {
    [Wire::initialize(server.clone(), "2025-11-25", json!({})).await, Wire::stateless(server.clone(), json!({}))]
}

/// The conformance suite of the protocol expects exactly these reports.
#[tokio::test]
async fn progress_is_reported_in_order_and_before_the_answer() {
    for mut wire in both(&server().0).await {
        for token in [json!("t1"), json!(7)] {
            let id = wire.begin("tools/call", json!({"name": "copy", "_meta": {"progressToken": token}})).await;
            for (done, message) in [(0.0, json!("a.txt")), (50.0, json!(null)), (100.0, json!("c.txt"))] {
                let report = wire.next().await.expect("a report");
                assert_eq!(report["method"], "notifications/progress");
                let params = &report["params"];
                assert_eq!((&params["progressToken"], &params["total"]), (&token, &json!(100.0)));
                assert_eq!((&params["progress"], &params["message"]), (&json!(done), &message));
            }
            let answer = wire.next().await.expect("an answer");
            assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(id), &json!(false)));
        }
        // Without a token, the client wants no reports.
        let id = wire.begin("tools/call", json!({"name": "copy"})).await;
        assert_eq!(wire.next().await.expect("an answer")["id"], id);
        wire.close().await;
    }
}

/// When calls run at the same time, each progress report contains the token of its call.
#[tokio::test]
async fn the_progress_of_parallel_calls_is_kept_apart() {
    let mut wire = Wire::initialize(server().0, "2025-11-25", json!({})).await;
    for token in 0..10 {
        wire.begin("tools/call", json!({"name": "copy", "_meta": {"progressToken": token}})).await;
    }
    let (mut reports, mut answers) = ([0; 10], 0);
    while answers < 10 {
        let message = wire.next().await.expect("a message");
        match message["params"]["progressToken"].as_u64() {
            Some(token) => reports[usize::try_from(token).expect("a small number")] += 1,
            None => answers += 1,
        }
    }
    assert_eq!(reports, [3; 10]);
    wire.close().await;
}

#[tokio::test]
async fn a_cancelled_call_ends_at_once_and_gets_no_answer() {
    for is_modern in [false, true] {
        let (server, ended) = server();
        let mut wire = if is_modern {
            Wire::stateless(server, json!({}))
        } else {
            Wire::initialize(server, "2025-11-25", json!({})).await
        };
        let id = wire.begin("tools/call", json!({"name": "wait", "_meta": {"progressToken": 1}})).await;
        assert_eq!(wire.next().await.expect("a report")["method"], "notifications/progress");
        let cancelled = json!({"requestId": id, "reason": "changed my mind"});
        wire.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled})).await;
        // The next message is the answer to the next request, because the cancelled request has no answer.
        let next = wire.begin("tools/call", json!({"name": "copy"})).await;
        assert_eq!(wire.next().await.expect("an answer")["id"], next);
        while !ended.load(Ordering::SeqCst) {
            tokio::task::yield_now().await;
        }
        wire.close().await;
    }
}

/// When the client disconnects, its calls are cancelled after five seconds.
#[tokio::test(start_paused = true)]
async fn a_call_of_a_client_that_goes_away_ends() {
    let (server, ended) = server();
    let mut wire = Wire::initialize(server, "2025-11-25", json!({})).await;
    wire.begin("tools/call", json!({"name": "wait", "_meta": {"progressToken": 1}})).await;
    assert_eq!(wire.next().await.expect("a report")["method"], "notifications/progress");
    wire.close().await;
    while !ended.load(Ordering::SeqCst) {
        tokio::task::yield_now().await;
    }
}

#[derive(Default)]
struct MayEnd(Arc<Notify>);

/// Works until the test lets it end.
#[tool]
async fn work(#[tool(state)] may_end: &MayEnd) -> &'static str {
    may_end.0.notified().await;
    "worked"
}

/// Returns a word.
#[tool]
fn word() -> &'static str {
    "word"
}

/// The protocol does not allow two open requests with the same id. rmcp alone would only answer one of them.
#[tokio::test]
async fn a_request_with_the_id_of_an_open_one_is_rejected() {
    let may_end = Arc::new(Notify::new());
    let builder = Toolbox::builder().tool(WorkTool).tool(WordTool).state(MayEnd(Arc::clone(&may_end))).no_throttle();
    let server = Server::new(builder.build().expect("the tools are valid"));
    let modern = Wire::stateless(server.clone(), json!({}));
    let meta = modern.meta.clone();
    for (mut wire, meta) in [(Wire::initialize(server, "2025-11-25", json!({})).await, json!({})), (modern, meta)] {
        let call = |id: Value, name: &str| {
            let params = json!({"name": name, "arguments": {}, "_meta": meta});
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
        };
        for id in [json!(70), json!("seventy")] {
            wire.send(&call(id.clone(), "work")).await;
            for _ in 0..3 {
                wire.send(&call(id.clone(), "word")).await;
                let rejected = wire.next().await.expect("an answer");
                assert_eq!((&rejected["id"], &rejected["error"]["code"]), (&id, &json!(-32600)));
            }
            may_end.notify_one();
            let answer = wire.next().await.expect("an answer");
            assert_eq!((&answer["id"], &answer["result"]["content"][0]["text"]), (&id, &json!("worked")));
            // After the answer, the id can be used again.
            wire.send(&call(id.clone(), "word")).await;
            let answer = wire.next().await.expect("an answer");
            assert_eq!((&answer["id"], &answer["result"]["content"][0]["text"]), (&id, &json!("word")));
        }
        // A cancelled call may still run, so its answer could be mistaken for the answer to the second request.
        wire.send(&call(json!(80), "work")).await;
        let cancelled = json!({"requestId": 80});
        wire.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled})).await;
        wire.send(&call(json!(80), "word")).await;
        let rejected = wire.next().await.expect("an answer");
        assert_eq!((&rejected["id"], &rejected["error"]["code"]), (&json!(80), &json!(-32600)));
        wire.close().await;
    }
}

/// A client that only sends is no longer read once many answers wait for it.
#[tokio::test(start_paused = true)]
async fn requests_of_a_client_that_reads_no_answers_are_not_read_forever() {
    let mut wire = Wire::initialize(server().0, "2025-11-25", json!({})).await;
    let mut open = BTreeSet::new();
    while open.len() < 100_000 {
        // The time passes as soon as the server waits for the client too.
        let sent = tokio::time::timeout(Duration::from_secs(1), wire.begin("ping", json!({}))).await;
        let Ok(id) = sent else { break };
        open.insert(id);
    }
    assert!(open.len() < 100_000, "the server reads everything");
    // Every request that arrived has its answer.
    while !open.is_empty() {
        let answer = wire.next().await.expect("an answer");
        assert!(open.remove(&answer["id"].as_u64().expect("an id")), "a second answer: {answer}");
    }
}

#[tokio::test]
async fn the_open_requests_of_a_connection_are_bounded() {
    let may_end = Arc::new(Notify::new());
    let builder = Toolbox::builder().tool(WorkTool).state(MayEnd(Arc::clone(&may_end))).no_throttle();
    let mut wire =
        Wire::initialize(Server::new(builder.build().expect("the tool is valid")), "2025-11-25", json!({})).await;
    let mut open = BTreeSet::new();
    for _ in 0..1_000 {
        open.insert(wire.begin("tools/call", json!({"name": "work"})).await);
    }
    for _ in 0..3 {
        let rejected = wire.request("tools/call", json!({"name": "work"})).await;
        assert_eq!(rejected["error"]["code"], -32603, "{rejected}");
    }
    let cancelled = json!({"requestId": open.pop_first()});
    wire.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled})).await;
    open.insert(wire.begin("tools/call", json!({"name": "work"})).await);
    let rejected = wire.request("ping", json!({})).await;
    assert_eq!(rejected["error"]["code"], -32603, "{rejected}");
    while !open.is_empty() {
        may_end.notify_waiters();
        let answer = wire.next().await.expect("an answer");
        assert_eq!(answer["result"]["content"][0]["text"], "worked");
        assert!(open.remove(&answer["id"].as_u64().expect("an id")), "a second answer: {answer}");
    }
    wire.close().await;
}
