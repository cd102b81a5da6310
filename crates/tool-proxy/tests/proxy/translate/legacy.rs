//! A client of an earlier protocol version and a server of protocol version 2026-07-28.

use serde_json::{Value, json};
use tool_proxy::VersionTranslation;

use crate::rig::{Rig, named, search};

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}}"#;

impl Rig {
    /// Connects a client that needs the handshake with a server that does not know it.
    async fn backwards() -> Self {
        let mut rig = Rig::with(|proxy| proxy.translate_versions(VersionTranslation::Auto));
        rig.reaches_server(INITIALIZE).await;
        rig.server.send(r#"{"id":"i","error":{"code":-32601,"message":"Method not found"}}"#).await;
        let discover = rig.server.message().await;
        assert_eq!((&discover["method"], &discover["params"]["_meta"]), (&json!("server/discover"), &rig.meta()));
        rig.answers(
            &discover["id"],
            json!({
                "resultType": "complete",
                "supportedVersions": ["2026-07-28"],
                "capabilities": {"tools": {"listChanged": true}, "resources": {"subscribe": true}, "logging": {}, "extensions": {}},
                "ttlMs": 0,
                "cacheScope": "private",
                "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "s", "version": "2"}},
            }),
        )
        .await;
        let answer = rig.client.message().await;
        let expected = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {"listChanged": true}, "resources": {"subscribe": true}, "logging": {}},
            "serverInfo": {"name": "s", "version": "2"},
        });
        assert_eq!((&answer["id"], &answer["result"]), (&json!("i"), &expected));
        rig.client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        let listen = rig.server.message().await;
        assert_eq!(
            (&listen["method"], &listen["params"]["notifications"]),
            (&json!("subscriptions/listen"), &json!({"toolsListChanged": true}))
        );
        let subscription =
            json!({"_meta": {"io.modelcontextprotocol/subscriptionId": listen["id"]}, "notifications": {}});
        rig.server
            .send(json!({"method": "notifications/subscriptions/acknowledged", "params": subscription}).to_string())
            .await;
        rig.server
            .send(json!({"method": "notifications/tools/list_changed", "params": subscription}).to_string())
            .await;
        let changed = rig.client.message().await;
        assert_eq!(
            (&changed["method"], &changed["params"]["_meta"]),
            (&json!("notifications/tools/list_changed"), &Value::Null)
        );
        rig
    }

    fn meta(&self) -> Value {
        json!({
            VERSION: "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "c", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
        })
    }

    async fn list_backwards(&mut self) {
        let asked = self.asked(r#"{"id":"l","method":"tools/list"}"#).await;
        assert_eq!(asked["params"]["_meta"], self.meta());
        let mut any = named("any");
        any["outputSchema"] = json!({"type": "array"});
        self.answers(&asked["id"], json!({"resultType": "complete", "tools": [search(), any], "ttlMs": 0})).await;
        // An earlier revision only has output schemas of objects.
        assert_eq!(self.client.message().await["result"], json!({"tools": [search(), named("any")], "ttlMs": 0}));
    }

    /// Answers a call of the server's with a question.
    async fn asks(&mut self, id: &Value, method: &str, state: Value) {
        let question = json!({"q": {"method": method, "params": {"message": "Which one?"}}});
        let mut result = json!({"resultType": "input_required", "inputRequests": question});
        if !state.is_null() {
            result["requestState"] = state;
        }
        self.answers(id, result).await;
    }
}

fn call(id: u64) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "search", "arguments": {"query": "a"}, "_meta": {"progressToken": 7}}}).to_string()
}

#[tokio::test]
async fn requests_and_results_are_translated() {
    let mut rig = Rig::backwards().await;
    rig.list_backwards().await;
    let asked = rig.asked(&call(1)).await;
    assert_eq!(
        (&asked["params"]["_meta"]["progressToken"], &asked["params"]["_meta"][VERSION]),
        (&json!(7), &json!("2026-07-28"))
    );
    rig.reaches_client(
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1}}"#,
    )
    .await;
    rig.answers(&asked["id"], json!({"resultType": "complete", "content": [], "structuredContent": [1]})).await;
    let answer = rig.client.message().await;
    assert_eq!((&answer["id"], &answer["result"]), (&json!(1), &json!({"content": []})));
    // Requests that the later revision does not have.
    for (method, params) in [("ping", json!({})), ("logging/setLevel", json!({"level": "info"}))] {
        rig.client.send(json!({"id": 2, "method": method, "params": params}).to_string()).await;
        assert_eq!(rig.client.message().await["result"], json!({}), "{method}");
    }
    let asked = rig.asked(r#"{"id":3,"method":"prompts/list"}"#).await;
    assert_eq!(asked["params"]["_meta"]["io.modelcontextprotocol/logLevel"], "info");
    let cancelled = rig.asked(r#"{"method":"notifications/cancelled","params":{"requestId":3}}"#).await;
    assert_eq!(cancelled["params"]["requestId"], asked["id"]);
    rig.client.send(r#"{"id":4,"method":"tasks/list"}"#).await;
    let error = &rig.client.message().await["error"];
    let reason = "tasks/list cannot be translated from protocol version 2025-06-18 to 2026-07-28.";
    assert_eq!((&error["code"], &error["message"]), (&json!(-32601), &json!(reason)));
    let asked = rig.asked(r#"{"id":5,"method":"prompts/list"}"#).await;
    rig.answers(&asked["id"], json!({"resultType": "task", "taskId": "t"})).await;
    let error = &rig.client.message().await["error"];
    assert_eq!(error["message"], "The server has answered with task, which protocol version 2025-06-18 does not have.");
}

#[tokio::test]
async fn the_client_is_asked_the_questions_of_an_answer() {
    let mut rig = Rig::backwards().await;
    rig.list_backwards().await;
    let asked = rig.asked(&call(1)).await;
    rig.asks(&asked["id"], "elicitation/create", json!("s")).await;
    let question = rig.client.message().await;
    assert_eq!(
        (&question["method"], &question["params"]["message"]),
        (&json!("elicitation/create"), &json!("Which one?"))
    );
    let answer = json!({"action": "accept", "content": {"one": 1}});
    let repeated = rig.asked(&json!({"jsonrpc": "2.0", "id": question["id"], "result": answer}).to_string()).await;
    assert_ne!(repeated["id"], asked["id"]);
    assert_eq!(
        (&repeated["params"]["requestState"], &repeated["params"]["inputResponses"]),
        (&json!("s"), &json!({"q": answer}))
    );
    assert_eq!(
        (&repeated["params"]["arguments"], &repeated["params"]["_meta"][VERSION]),
        (&json!({"query": "a"}), &json!("2026-07-28"))
    );
    // A state without questions is brought back at once.
    rig.answers(&repeated["id"], json!({"resultType": "input_required", "requestState": "t"})).await;
    let repeated = rig.server.message().await;
    assert_eq!(
        (&repeated["params"]["requestState"], &repeated["params"]["inputResponses"]),
        (&json!("t"), &Value::Null)
    );
    rig.answers(&repeated["id"], json!({"resultType": "complete", "content": []})).await;
    let answer = rig.client.message().await;
    assert_eq!((&answer["id"], &answer["result"]), (&json!(1), &json!({"content": []})));
}

#[tokio::test]
async fn questions_that_lead_nowhere_end_the_call() {
    let mut rig = Rig::backwards().await;
    rig.list_backwards().await;
    // The client has not declared this.
    let asked = rig.asked(&call(1)).await;
    rig.asks(&asked["id"], "sampling/createMessage", Value::Null).await;
    let text = rig.client.line().await;
    assert!(text.contains("sampling/createMessage") && text.contains("2025-06-18"), "{text}");
    // The client answers with an error.
    let asked = rig.asked(&call(2)).await;
    rig.asks(&asked["id"], "elicitation/create", Value::Null).await;
    let question = rig.client.message().await;
    rig.client.send(json!({"id": question["id"], "error": {"code": -1, "message": "No window"}}).to_string()).await;
    assert!(rig.client.line().await.contains("No window"));
    // The client cancels the call.
    let asked = rig.asked(&call(3)).await;
    rig.asks(&asked["id"], "elicitation/create", Value::Null).await;
    let question = rig.client.message().await;
    rig.client.send(r#"{"method":"notifications/cancelled","params":{"requestId":3}}"#).await;
    let cancelled = rig.client.message().await;
    assert_eq!(
        (&cancelled["method"], &cancelled["params"]["requestId"]),
        (&json!("notifications/cancelled"), &question["id"])
    );
    rig.server_got_nothing().await;
    // The server asks without end.
    let mut asked = rig.asked(&call(4)).await;
    for _ in 0..10 {
        rig.answers(&asked["id"], json!({"resultType": "input_required", "requestState": "t"})).await;
        asked = rig.server.message().await;
    }
    rig.answers(&asked["id"], json!({"resultType": "input_required", "requestState": "t"})).await;
    assert!(rig.client.line().await.contains("too many questions"));
}

#[tokio::test]
async fn resources_are_subscribed_to() {
    let mut rig = Rig::backwards().await;
    let listen = rig.asked(r#"{"id":1,"method":"resources/subscribe","params":{"uri":"a:b"}}"#).await;
    assert_eq!(listen["params"]["notifications"], json!({"resourceSubscriptions": ["a:b"]}));
    let subscription = json!({"io.modelcontextprotocol/subscriptionId": listen["id"]});
    rig.server
        .send(
            json!({"method": "notifications/subscriptions/acknowledged", "params": {"_meta": subscription}})
                .to_string(),
        )
        .await;
    let answer = rig.client.message().await;
    assert_eq!((&answer["id"], &answer["result"]), (&json!(1), &json!({})));
    rig.server
        .send(
            json!({"method": "notifications/resources/updated", "params": {"uri": "a:b", "_meta": subscription}})
                .to_string(),
        )
        .await;
    assert_eq!(rig.client.message().await["params"], json!({"uri": "a:b"}));
    let cancelled = rig.asked(r#"{"id":2,"method":"resources/unsubscribe","params":{"uri":"a:b"}}"#).await;
    assert_eq!(
        (&cancelled["method"], &cancelled["params"]["requestId"]),
        (&json!("notifications/cancelled"), &listen["id"])
    );
    assert_eq!(rig.client.message().await["id"], 2);
}

#[tokio::test]
async fn a_server_that_speaks_neither_revision_is_quoted() {
    for answer in [
        json!({"error": {"code": -32601, "message": "?"}}),
        json!({"result": {"supportedVersions": ["2027-01-01"]}}),
        json!({"result": []}),
    ] {
        let mut rig = Rig::with(|proxy| proxy.translate_versions(VersionTranslation::Auto));
        rig.reaches_server(INITIALIZE).await;
        let rejection = r#"{"jsonrpc":"2.0", "id":"i","error":{"code":-32000,"message":"Only 2027-01-01"}}"#;
        rig.server.send(rejection).await;
        let mut answer = answer;
        answer["id"] = rig.server.message().await["id"].clone();
        rig.server.send(answer.to_string()).await;
        assert_eq!(rig.client.line().await, rejection);
    }
}
