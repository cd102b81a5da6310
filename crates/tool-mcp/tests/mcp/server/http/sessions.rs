//! Sessions of clients of revisions until 2025-11-25: their owners, and their open requests.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tool_mcp::Server;
use tool_runtime::{Toolbox, tool};

use super::super::tools::toolbox;
use super::{Reply, Served, exchange, identify, initialize, post, request, start};

struct Stages {
    begun: Semaphore,
    may_end: Semaphore,
}

impl Stages {
    fn new() -> Arc<Self> {
        Arc::new(Self { begun: Semaphore::new(0), may_end: Semaphore::new(0) })
    }

    /// Waits until a number of further calls have begun.
    async fn begun(&self, calls: u32) {
        self.begun.acquire_many(calls).await.expect("it is never closed").forget();
    }
}

/// Works until the test lets it end.
#[tool]
async fn work(
    #[tool(state)] stages: &Arc<Stages>,
    /// The number of the call.
    number: u32,
) -> String {
    stages.begun.add_permits(1);
    stages.may_end.acquire().await.expect("it is never closed").forget();
    format!("worked {number}")
}

async fn working() -> (Served, Arc<Stages>) {
    let stages = Stages::new();
    let builder = Toolbox::builder().tool(WorkTool).no_throttle().state(Arc::clone(&stages));
    (start(Server::new(builder.build().expect("the tool is valid")).http()).await, stages)
}

async fn session(served: &Served) -> String {
    let begun = post(served.address, &[], &initialize()).await;
    begun.header("mcp-session-id").expect("a session").to_owned()
}

fn call(id: Value, number: usize) -> String {
    let params = json!({"name": "work", "arguments": {"number": number}});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
}

async fn without_body(served: &Served, method: &str, headers: &[(&str, &str)]) -> Reply {
    let headers: Vec<_> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let head = format!("{method} /mcp HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", served.address);
    exchange(served.address, &format!("{head}Accept: text/event-stream\r\n{}\r\n", headers.concat())).await
}

#[tokio::test]
async fn a_session_is_only_available_to_the_user_who_began_it() {
    let served = start(Server::new(toolbox()).http().verify_bearer(identify)).await;
    let (ada, bob) = (("Authorization", "Bearer secret-of-ada"), ("Authorization", "Bearer secret-of-bob"));
    let begun = post(served.address, &[ada], &initialize()).await;
    let session = ("Mcp-Session-Id", begun.header("mcp-session-id").expect("a session"));
    let list = request("tools/list", &json!({}));
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}});
    let reply = json!({"jsonrpc": "2.0", "id": 0, "result": {"action": "accept"}});
    for message in [&list, &cancel.to_string(), &reply.to_string(), "{"] {
        let foreign = post(served.address, &[bob, session], message).await;
        assert_eq!(foreign.status, 404, "{message}: {}", foreign.body);
    }
    for method in ["GET", "DELETE"] {
        assert_eq!(without_body(&served, method, &[bob, session]).await.status, 404, "{method}");
    }
    let own = post(served.address, &[ada, session], &list).await;
    assert!(own.json()["result"]["tools"].is_array(), "{}", own.body);
    // The Python SDK takes 202, the status of rmcp, for a failure.
    assert_eq!(without_body(&served, "DELETE", &[ada, session]).await.status, 204);
    assert_eq!(post(served.address, &[ada, session], &list).await.status, 404);
    served.stop().await;
}

/// rmcp alone would send the answer of the first request to the second one, and none to the first.
#[tokio::test]
async fn a_request_with_the_id_of_an_open_one_is_rejected() {
    let (served, stages) = working().await;
    let (address, session) = (served.address, session(&served).await);
    let other = self::session(&served).await;
    for id in [json!(7), json!("seven")] {
        let (header, body) = (session.clone(), call(id.clone(), 1));
        let first = tokio::spawn(async move { post(address, &[("Mcp-Session-Id", &header)], &body).await });
        stages.begun(1).await;
        for _ in 0..3 {
            let second = post(address, &[("Mcp-Session-Id", &session)], &call(id.clone(), 2)).await;
            assert_eq!((&second.json()["id"], &second.json()["error"]["code"]), (&id, &json!(-32600)));
        }
        stages.may_end.add_permits(1);
        let first = first.await.expect("no panic").json();
        assert_eq!((&first["id"], &first["result"]["content"][0]["text"]), (&id, &json!("worked 1")));
        // From now on, the id is free. In another session it always was.
        for session in [&session, &other] {
            stages.may_end.add_permits(1);
            let next = post(address, &[("Mcp-Session-Id", session)], &call(id.clone(), 3)).await.json();
            assert_eq!((&next["id"], &next["result"]["content"][0]["text"]), (&id, &json!("worked 3")));
            stages.begun(1).await;
        }
    }
    served.stop().await;
}

/// A client with a session can disconnect and fetch the answer later, so its connections do not bound its calls.
#[tokio::test]
async fn the_open_requests_of_a_session_are_bounded() {
    let (served, stages) = working().await;
    let (address, session) = (served.address, session(&served).await);
    let calls = (0..100).map(|id| {
        let (session, body) = (session.clone(), call(json!(format!("call {id}")), id));
        tokio::spawn(async move { post(address, &[("Mcp-Session-Id", &session)], &body).await })
    });
    let calls: Vec<_> = calls.collect();
    stages.begun(100).await;
    let rejected = post(address, &[("Mcp-Session-Id", &session)], &request("ping", &json!({}))).await.json();
    assert_eq!(rejected["error"]["message"], "There are 100 open requests, and further ones are rejected.");
    let other = self::session(&served).await;
    let ping = post(address, &[("Mcp-Session-Id", &other)], &request("ping", &json!({}))).await;
    assert_eq!(ping.json()["result"], json!({}));
    stages.may_end.add_permits(100);
    for (number, call) in calls.into_iter().enumerate() {
        let answer = call.await.expect("no panic").json();
        assert_eq!(answer["result"]["content"][0]["text"], format!("worked {number}"), "{answer}");
    }
    let ping = post(address, &[("Mcp-Session-Id", &session)], &request("ping", &json!({}))).await;
    assert_eq!(ping.json()["result"], json!({}));
    served.stop().await;
}

/// A message that repeats a key has no certain id, so nothing about it can be checked.
#[tokio::test]
async fn a_message_with_a_repeated_key_reaches_no_tool() {
    let (served, stages) = working().await;
    let (address, session) = (served.address, session(&served).await);
    let plain = call(json!(7), 1);
    for repeated in [r#"{"id":7,"#, r#"{"method":"tools/call","#, r#"{"jsonrpc":"2.0","id":8,"method":"ping","#] {
        let message = format!("{repeated}{}", &plain[1..]);
        let answer = post(address, &[("Mcp-Session-Id", &session)], &message).await;
        assert_eq!(answer.status, 415, "{message}: {}", answer.body);
    }
    assert_eq!(stages.begun.available_permits(), 0);
    served.stop().await;
}
