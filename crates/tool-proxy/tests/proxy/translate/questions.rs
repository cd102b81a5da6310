//! Questions of a server of an earlier protocol version, for a client of protocol version 2026-07-28.

use std::time::Duration;

use serde_json::{Value, json};

use super::modern::request;
use crate::rig::Rig;

fn call(id: &str, query: &str, more: Value) -> String {
    let mut params = json!({"name": "search", "arguments": {"query": query}});
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    request(id, "tools/call", params, json!({}))
}

fn ask(id: u64, method: &str, message: &str) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {"message": message}}).to_string()
}

impl Rig {
    /// Receives the answer to a call that asks for input, and returns its state and its questions.
    async fn input(&mut self, id: &str) -> (Value, Value) {
        let answer = self.client.message().await;
        let result = &answer["result"];
        assert_eq!((&answer["id"], &result["resultType"]), (&json!(id), &json!("input_required")), "{answer}");
        (result["requestState"].clone(), result["inputRequests"].clone())
    }
}

#[tokio::test]
async fn a_question_during_a_call_is_the_answer_to_the_call() {
    let mut rig = Rig::translated().await;
    rig.list_translated().await;
    let asked = rig.asked(&call("1", "a", json!({}))).await;
    rig.server.send(ask(40, "elicitation/create", "Which one?")).await;
    let (state, questions) = rig.input("1").await;
    assert_eq!(questions["question-40"]["params"]["message"], "Which one?");
    assert_eq!(questions["question-40"]["method"], "elicitation/create");
    // Without the answer, the question is asked again.
    rig.client.send(call("2", "a", json!({"requestState": state}))).await;
    let (state, _) = rig.input("2").await;
    let answers = json!({"question-40": {"action": "accept", "content": {"one": 1}}});
    let answer = rig.asked(&call("3", "a", json!({"requestState": state, "inputResponses": answers}))).await;
    assert_eq!(answer, json!({"jsonrpc": "2.0", "id": 40, "result": {"action": "accept", "content": {"one": 1}}}));
    // A second question, and an answer that comes before the client has repeated the call.
    rig.server.send(ask(41, "elicitation/create", "Sure?")).await;
    let (state, _) = rig.input("3").await;
    rig.answers(&asked["id"], json!({"content": []})).await;
    rig.client_got_nothing().await;
    let answers = json!({"question-41": {"action": "cancel"}});
    let late = call("4", "a", json!({"requestState": state, "inputResponses": answers}));
    assert_eq!(rig.asked(&late).await["id"], 41);
    let answer = rig.client.message().await;
    assert_eq!((&answer["id"], &answer["result"]), (&json!("4"), &json!({"content": [], "resultType": "complete"})));
    // The state was used.
    rig.client.send(call("5", "a", json!({"requestState": state, "inputResponses": {}}))).await;
    assert!(rig.client.line().await.contains("not valid or has expired"));
    rig.server_got_nothing().await;
}

#[tokio::test]
async fn a_state_counts_only_for_its_call() {
    let mut rig = Rig::translated().await;
    rig.list_translated().await;
    rig.asked(&call("1", "a", json!({}))).await;
    rig.server.send(ask(1, "elicitation/create", "Which one?")).await;
    let (state, _) = rig.input("1").await;
    let answers = json!({"question-1": {"action": "accept"}});
    rig.client.send(call("2", "b", json!({"requestState": state, "inputResponses": answers}))).await;
    let answer = rig.client.message().await;
    assert!(answer.to_string().contains("not valid or has expired"), "{answer}");
    rig.server_got_nothing().await;
}

#[tokio::test]
async fn a_question_that_the_client_cannot_answer_is_rejected_by_name() {
    let mut rig = Rig::translated().await;
    rig.list_translated().await;
    let asked = rig.asked(&call("1", "a", json!({}))).await;
    for method in ["sampling/createMessage", "roots/list"] {
        rig.server.send(ask(1, method, "")).await;
        let error = &rig.server.message().await["error"];
        assert_eq!(error["code"], -32601);
        assert!(error["message"].as_str().unwrap().starts_with(method), "{error}");
    }
    rig.answers(&asked["id"], json!({"content": []})).await;
    assert_eq!(rig.client.message().await["id"], "1");
}

#[tokio::test]
async fn a_question_outside_of_calls_is_the_answer_to_the_next_call() {
    let mut rig = Rig::translated().await;
    rig.list_translated().await;
    rig.server.send(ask(1, "elicitation/create", "Where?")).await;
    rig.client_got_nothing().await;
    rig.client.send(call("1", "a", json!({}))).await;
    let (state, questions) = rig.input("1").await;
    assert_eq!(questions["question-1"]["params"]["message"], "Where?");
    rig.server_got_nothing().await;
    let answers = json!({"question-1": {"action": "decline"}});
    let answer = rig.asked(&call("2", "a", json!({"requestState": state, "inputResponses": answers}))).await;
    assert_eq!(answer["result"], json!({"action": "decline"}));
    let asked = rig.server.message().await;
    assert_eq!(asked["params"], json!({"name": "search", "arguments": {"query": "a"}}));
    rig.answers(&asked["id"], json!({"content": []})).await;
    assert_eq!(rig.client.message().await["id"], "2");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_not_repeated_ends_after_ten_minutes() {
    let mut rig = Rig::translated().await;
    rig.list_translated().await;
    let asked = rig.asked(&call("1", "a", json!({}))).await;
    rig.server.send(ask(1, "elicitation/create", "Which one?")).await;
    let (state, _) = rig.input("1").await;
    tokio::time::sleep(Duration::from_secs(601)).await;
    rig.client.send(call("2", "a", json!({"requestState": state}))).await;
    assert_eq!(rig.server.message().await["error"]["code"], -32603);
    let cancelled = rig.server.message().await;
    assert_eq!(
        (&cancelled["method"], &cancelled["params"]["requestId"]),
        (&json!("notifications/cancelled"), &asked["id"])
    );
    assert!(rig.client.line().await.contains("not valid or has expired"));
}
