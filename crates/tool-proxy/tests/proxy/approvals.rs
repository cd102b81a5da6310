//! Calls that the user has to approve, in protocol versions with a handshake.

use std::time::Duration;

use serde_json::{Value, json};
use tool_proxy::{Approval, ProxyBuilder};

use super::rig::{Rig, call, named, search, text};

pub(crate) fn asking(proxy: ProxyBuilder) -> ProxyBuilder {
    proxy.require_approval(Approval::new().tools(["send_*"]).destructive(true)).redact(["token"])
}

fn annotated(name: &str, annotations: Value) -> Value {
    let mut tool = named(name);
    tool["annotations"] = annotations;
    tool
}

impl Rig {
    /// Lets the client introduce itself with these capabilities.
    pub(crate) async fn initialize(&mut self, capabilities: &str) {
        self.reaches_server(&format!(
            r#"{{"id":"i","method":"initialize","params":{{"protocolVersion":"2025-06-18","capabilities":{capabilities}}}}}"#
        ))
        .await;
        self.reaches_client(r#"{"id":"i","result":{"protocolVersion":"2025-06-18"}}"#).await;
    }

    /// Receives a question of the proxy, and returns its id and its text.
    async fn question(&mut self) -> (Value, String) {
        let question = self.client.message().await;
        assert_eq!(question["method"], "elicitation/create", "{question}");
        assert_eq!(question["params"]["requestedSchema"], json!({"type": "object", "properties": {}}));
        (question["id"].clone(), question["params"]["message"].as_str().unwrap().to_owned())
    }

    async fn answer(&mut self, id: &Value, answer: &str) {
        self.client.send(format!(r#"{{"jsonrpc":"2.0","id":{id},{answer}}}"#)).await;
    }

    /// Receives the failure that answers a call.
    async fn failure(&mut self, id: u64) -> Value {
        let answer = self.client.message().await;
        assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(id), &json!(true)), "{answer}");
        serde_json::from_str(answer["result"]["content"][0]["text"].as_str().unwrap()).unwrap()
    }
}

#[tokio::test]
async fn the_server_gets_a_call_after_the_consent_of_the_user() {
    let mut rig = Rig::with(asking);
    rig.initialize(r#"{"elicitation":{}}"#).await;
    let reading = annotated("read", json!({"readOnlyHint": true}));
    let adding = annotated("add", json!({"destructiveHint": false}));
    let sending = annotated("send_mail", json!({"readOnlyHint": true}));
    rig.list(&[reading, adding, sending, search()]).await;
    rig.reaches_server(&call(1, "read", r#"{"query":"a"}"#)).await;
    rig.reaches_server(&call(2, "add", r#"{"query":"a"}"#)).await;
    for (id, name) in [(3, "send_mail"), (4, "search")] {
        rig.client.send(call(id, name, r#"{"query": "a", "limit": "3"}"#)).await;
        let (question, message) = rig.question().await;
        assert_eq!(message, format!(r#"May {name} run with {{"query":"a","limit":3}}?"#));
        rig.server_got_nothing().await;
        // The server has not been asked, so this is not an answer, and it cannot take the question back.
        rig.server.send(text(id, "early")).await;
        rig.server.send(format!(r#"{{"method":"notifications/cancelled","params":{{"requestId":{question}}}}}"#)).await;
        rig.client_got_nothing().await;
        rig.answer(&question, r#""result":{"action":"accept","content":{}}"#).await;
        assert_eq!(rig.server.line().await, call(id, name, r#"{"query":"a","limit":3}"#));
        rig.reaches_client(&text(id, "done")).await;
        rig.answer(&question, r#""result":{"action":"accept"}"#).await;
        rig.server_got_nothing().await;
    }
    // The user is asked about the tool that the name means.
    rig.client.send(call(10, "functions.send_mail:0", r#"{"query":"a"}"#)).await;
    let (question, message) = rig.question().await;
    assert_eq!(message, r#"May send_mail run with {"query":"a"}?"#);
    rig.answer(&question, r#""result":{"action":"accept","content":{}}"#).await;
    assert_eq!(rig.server.line().await, call(10, "send_mail", r#"{"query":"a"}"#));
    rig.reaches_client(&text(10, "done")).await;
    // A wrong call is rejected without a question, and so is one of a tool that does not exist.
    rig.rejected(5, "search", "{}").await;
    let rejected = rig.rejected(6, "other", r#"{"token":"s3cret"}"#).await;
    assert!(rejected.contains("unknown_tool"), "{rejected}");
    assert_eq!(rig.report().stray_answers, 4);
}

#[tokio::test(start_paused = true)]
async fn without_consent_the_server_does_not_get_the_call() {
    let mut rig = Rig::with(asking);
    rig.initialize(r#"{"elicitation":{"form":{},"url":{}}}"#).await;
    rig.list(&[search()]).await;
    for (id, answer, error_type) in [
        (1, r#""result":{"action":"decline"}"#, "denied"),
        (2, r#""result":{"action":"cancel"}"#, "denied"),
        (3, r#""result":{"action":"yes"}"#, "denied"),
        (4, r#""error":{"code":-1,"message":"no"}"#, "denied"),
        (5, r#""result":{"action":"accept","action":"accept"}"#, "denied"),
    ] {
        rig.client.send(call(id, "search", &format!(r#"{{"query":"{id}"}}"#))).await;
        let (question, _) = rig.question().await;
        rig.answer(&question, answer).await;
        assert_eq!(rig.failure(id).await["error_type"], error_type, "{answer}");
        rig.server_got_nothing().await;
    }
    // The user has ten minutes.
    rig.client.send(call(6, "search", r#"{"query":"6"}"#)).await;
    let (question, _) = rig.question().await;
    tokio::time::sleep(Duration::from_secs(601)).await;
    let cancelled = rig.client.message().await;
    assert_eq!(
        (&cancelled["method"], &cancelled["params"]["requestId"]),
        (&json!("notifications/cancelled"), &question)
    );
    assert_eq!(rig.failure(6).await["error_type"], "denied");
    rig.answer(&question, r#""result":{"action":"accept"}"#).await;
    // A cancelled call takes its question with it.
    rig.client.send(call(7, "search", r#"{"query":"7"}"#)).await;
    let (question, _) = rig.question().await;
    rig.client.send(r#"{"method":"notifications/cancelled","params":{"requestId":7}}"#).await;
    assert_eq!(rig.client.message().await["params"]["requestId"], question);
    rig.answer(&question, r#""result":{"action":"accept"}"#).await;
    rig.server_got_nothing().await;
    rig.client_got_nothing().await;
    assert_eq!(rig.report().tools["search"].rejected, 6);
}

#[tokio::test]
async fn a_client_that_cannot_ask_gets_no_question() {
    for capabilities in ["{}", r#"{"elicitation":{"url":{}}}"#, "[]"] {
        let mut rig = Rig::with(asking);
        rig.initialize(capabilities).await;
        rig.list(&[search()]).await;
        rig.client.send(call(1, "search", r#"{"query":"a"}"#)).await;
        let failure = rig.failure(1).await;
        assert_eq!((&failure["error_type"], &failure["tool"]), (&json!("denied"), &json!("search")));
        let message = "search was not run: It needs the approval of the user, and this client cannot ask for it.";
        assert_eq!(failure["error_message"], message);
        assert!(!failure.to_string().contains("later"), "{failure}");
        rig.server_got_nothing().await;
    }
}

#[tokio::test]
async fn a_question_ends_with_its_server() {
    let mut rig = Rig::with(asking);
    rig.initialize(r#"{"elicitation":{}}"#).await;
    rig.list(&[search()]).await;
    rig.client.send(call(1, "search", r#"{"query":"a"}"#)).await;
    rig.question().await;
    let Rig { mut client, server, .. } = rig;
    server.close();
    let answer = client.message().await;
    assert_eq!(answer["error"]["message"], "The server has ended before it got the call: it closed its output.");
}
