//! A client of protocol version 2026-07-28 and a server of an earlier protocol version.

use serde_json::{Value, json};
use tool_proxy::VersionTranslation;

use crate::rig::{Rig, search};

pub(crate) const META: &str = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"extensions":{"x/y":{}}}}"#;

pub(crate) const DISCOVER: &str = r#"{"jsonrpc":"2.0", "id":"d","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"roots":{}}}}}"#;

/// The information of the server about itself.
fn hello() -> Value {
    json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {"listChanged": true}, "logging": {}, "resources": {"subscribe": true}, "tasks": {}},
        "serverInfo": {"name": "s", "version": "2"},
        "instructions": "Ask.",
    })
}

/// A request with the members of `_meta` of the later revision, and further ones.
pub(crate) fn request(id: &str, method: &str, mut params: Value, meta: Value) -> String {
    let mut own: Value = serde_json::from_str(META).unwrap();
    own.as_object_mut().unwrap().extend(meta.as_object().unwrap().clone());
    params["_meta"] = own;
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

impl Rig {
    /// Connects a client that only speaks the later revision with a server that needs the handshake.
    pub(crate) async fn translated() -> Self {
        let mut rig = Rig::with(|proxy| proxy.translate_versions(VersionTranslation::Always));
        rig.client.send(DISCOVER).await;
        assert_eq!(rig.server.line().await, DISCOVER);
        rig.server.send(r#"{"jsonrpc":"2.0","id":"d","error":{"code":-32601,"message":"Method not found"}}"#).await;
        let greeting = rig.greet().await;
        assert_eq!(greeting["params"]["capabilities"], json!({"elicitation": {}, "roots": {}}));
        let discovered = rig.client.message().await;
        let expected = json!({
            "resultType": "complete",
            "supportedVersions": ["2026-07-28"],
            "capabilities": {"tools": {"listChanged": true}, "logging": {}, "resources": {"subscribe": true}},
            "instructions": "Ask.",
            "ttlMs": 0,
            "cacheScope": "private",
            "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "s", "version": "2"}},
        });
        assert_eq!((&discovered["id"], &discovered["result"]), (&json!("d"), &expected));
        rig
    }

    /// Answers the handshake of the proxy, and returns it.
    async fn greet(&mut self) -> Value {
        let greeting = self.server.message().await;
        assert_eq!(
            (&greeting["method"], &greeting["params"]["clientInfo"]["name"]),
            (&json!("initialize"), &json!("c"))
        );
        self.server.send(json!({"jsonrpc": "2.0", "id": greeting["id"], "result": hello()}).to_string()).await;
        assert_eq!(self.server.message().await["method"], "notifications/initialized");
        greeting
    }

    /// Sends a request of the client, and receives what the server gets.
    pub(crate) async fn asked(&mut self, line: &str) -> Value {
        self.client.send(line).await;
        self.server.message().await
    }

    pub(crate) async fn answers(&mut self, id: &Value, result: Value) {
        self.server.send(json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string()).await;
    }

    /// Lets the client list the tools.
    pub(crate) async fn list_translated(&mut self) {
        let asked = self.asked(&request("l", "tools/list", json!({}), json!({}))).await;
        self.answers(&asked["id"], json!({"tools": [search()]})).await;
        let listed = self.client.message().await;
        assert_eq!(listed["result"]["tools"], json!([search()]));
    }
}

#[tokio::test]
async fn the_proxy_makes_the_handshake_once() {
    // A client that begins with another request.
    let mut rig = Rig::with(|proxy| proxy.translate_versions(VersionTranslation::Auto));
    rig.reaches_server(&request("1", "tools/list", json!({}), json!({}))).await;
    rig.client.send(request("2", "prompts/list", json!({"cursor": "c"}), json!({"progressToken": 7, "a/b": 1}))).await;
    rig.server.send(r#"{"id":"1","error":{"code":-32602,"message":"Not initialized"}}"#).await;
    let probe = rig.server.message().await;
    assert_eq!(probe["method"], "server/discover");
    rig.server
        .send(json!({"id": probe["id"], "error": {"code": -32602, "message": "not initialized"}}).to_string())
        .await;
    let greeting = rig.greet().await;
    assert_eq!(greeting["params"]["capabilities"], json!({"elicitation": {}}));
    let first = rig.server.message().await;
    assert_eq!((&first["method"], &first["params"]), (&json!("tools/list"), &json!({})));
    let second = rig.server.message().await;
    assert_eq!(second["params"], json!({"cursor": "c", "_meta": {"progressToken": 7, "a/b": 1}}));
    rig.answers(&second["id"], json!({"prompts": [], "ttlMs": 5})).await;
    let answer = rig.client.message().await;
    let expected = json!({"prompts": [], "ttlMs": 5, "resultType": "complete", "cacheScope": "private"});
    assert_eq!((&answer["id"], &answer["result"]), (&json!("2"), &expected));
    rig.reaches_client(
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1}}"#,
    )
    .await;
    rig.answers(&first["id"], json!({"tools": [search()]})).await;
    assert_eq!(rig.client.message().await["id"], "1");
    assert!(rig.remarks().iter().any(|remark| remark.contains("the server 2025-06-18")), "{:?}", rig.remarks());
}

#[tokio::test]
async fn calls_are_checked_and_repaired_before_they_are_translated() {
    let mut rig = Rig::translated().await;
    rig.list_translated().await;
    let arguments = json!({"name": "search", "arguments": {"query": "a", "limit": "3"}});
    let asked = rig.asked(&request("1", "tools/call", arguments, json!({}))).await;
    assert_eq!(asked["params"], json!({"name": "search", "arguments": {"query": "a", "limit": 3}}));
    rig.answers(&asked["id"], json!({"content": [{"type": "text", "text": "done"}], "isError": false})).await;
    let answer = rig.client.message().await;
    let expected = json!({"content": [{"type": "text", "text": "done"}], "isError": false, "resultType": "complete"});
    assert_eq!((&answer["id"], &answer["result"]), (&json!("1"), &expected));
    rig.client.send(request("2", "tools/call", json!({"name": "search", "arguments": {}}), json!({}))).await;
    assert_eq!(rig.client.message().await["result"]["isError"], true);
    // An error of the server.
    let asked = rig.asked(&request("3", "resources/read", json!({"uri": "a"}), json!({}))).await;
    let error = json!({"code": -32002, "message": "Not found", "data": {"uri": "a"}});
    rig.server.send(json!({"id": asked["id"], "error": error}).to_string()).await;
    let answer = rig.client.message().await;
    assert_eq!((&answer["id"], &answer["error"]), (&json!("3"), &error));
}

#[tokio::test]
async fn requests_that_cannot_be_translated_are_rejected_by_name() {
    let mut rig = Rig::translated().await;
    for method in ["tasks/get", "ping", "logging/setLevel", "resources/subscribe"] {
        rig.client.send(request("1", method, json!({}), json!({}))).await;
        let error = &rig.client.message().await["error"];
        let reason = format!("{method} cannot be translated from protocol version 2026-07-28 to 2025-06-18.");
        assert_eq!((&error["code"], &error["message"]), (&json!(-32601), &json!(reason)));
    }
    let later = json!({"io.modelcontextprotocol/protocolVersion": "2027-01-01"});
    rig.client.send(request("2", "tools/list", json!({}), later)).await;
    let error = &rig.client.message().await["error"];
    let data = json!({"supported": ["2026-07-28"], "requested": "2027-01-01"});
    assert_eq!((&error["code"], &error["data"]), (&json!(-32022), &data));
    // A request that the client could not answer.
    rig.server.send(r#"{"id":5,"method":"tasks/get","params":{}}"#).await;
    let error = &rig.server.message().await["error"];
    assert_eq!(
        (&error["code"], &error["message"]),
        (&json!(-32601), &json!("tasks/get cannot be translated to protocol version 2026-07-28."))
    );
    rig.server.send(r#"{"id":"p","method":"ping"}"#).await;
    assert_eq!(rig.server.message().await, json!({"jsonrpc": "2.0", "id": "p", "result": {}}));
}

#[tokio::test]
async fn a_server_that_rejects_the_handshake_is_quoted() {
    let mut rig = Rig::with(|proxy| proxy.translate_versions(VersionTranslation::Always));
    rig.client.send(DISCOVER).await;
    rig.server.line().await;
    rig.server.send(r#"{"id":"d","error":{"code":-32601,"message":"Method not found"}}"#).await;
    let greeting = rig.server.message().await;
    rig.server.send(json!({"id": greeting["id"], "error": {"code": -32602, "message": "Too old"}}).to_string()).await;
    let answer = rig.client.message().await;
    assert_eq!((&answer["id"], &answer["error"]["message"]), (&json!("d"), &json!("Too old")));
    rig.client.send(request("1", "tools/list", json!({}), json!({}))).await;
    assert_eq!(rig.client.message().await["error"]["message"], "Too old");
}

#[tokio::test]
async fn subscriptions_get_the_changes_that_they_asked_for() {
    let mut rig = Rig::translated().await;
    let changed = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    rig.server.send(changed).await;
    rig.client_got_nothing().await;
    let filter = json!({"toolsListChanged": true, "promptsListChanged": true, "resourceSubscriptions": ["a:b"]});
    let asked = rig.asked(&request("s", "subscriptions/listen", json!({"notifications": filter}), json!({}))).await;
    assert_eq!((&asked["method"], &asked["params"]), (&json!("resources/subscribe"), &json!({"uri": "a:b"})));
    rig.answers(&asked["id"], json!({})).await;
    let acknowledged = rig.client.message().await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    let subscription = json!({"io.modelcontextprotocol/subscriptionId": "s"});
    let accepted = json!({"toolsListChanged": true, "resourceSubscriptions": ["a:b"]});
    assert_eq!(acknowledged["params"], json!({"_meta": subscription, "notifications": accepted}));
    rig.server.send(changed).await;
    assert_eq!(rig.client.message().await["params"], json!({"_meta": subscription}));
    rig.server.send(r#"{"method":"notifications/resources/updated","params":{"uri":"a:b"}}"#).await;
    assert_eq!(rig.client.message().await["params"], json!({"uri": "a:b", "_meta": subscription}));
    rig.server.send(r#"{"method":"notifications/resources/updated","params":{"uri":"c:d"}}"#).await;
    rig.server.send(r#"{"method":"notifications/prompts/list_changed"}"#).await;
    rig.client_got_nothing().await;
    let asked = rig.asked(r#"{"method":"notifications/cancelled","params":{"requestId":"s"}}"#).await;
    assert_eq!((&asked["method"], &asked["params"]), (&json!("resources/unsubscribe"), &json!({"uri": "a:b"})));
    rig.server.send(changed).await;
    rig.client_got_nothing().await;
}

#[tokio::test]
async fn a_client_gets_log_messages_while_a_request_asks_for_them() {
    let mut rig = Rig::translated().await;
    let message = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}"#;
    rig.server.send(message).await;
    rig.client_got_nothing().await;
    let level = json!({"io.modelcontextprotocol/logLevel": "info"});
    let asked = rig.asked(&request("1", "prompts/list", json!({}), level.clone())).await;
    assert_eq!((&asked["method"], &asked["params"]), (&json!("logging/setLevel"), &json!({"level": "info"})));
    rig.answers(&asked["id"], json!({})).await;
    let asked = rig.server.message().await;
    rig.reaches_client(message).await;
    rig.answers(&asked["id"], json!({"prompts": []})).await;
    assert_eq!(rig.client.message().await["id"], "1");
    rig.server.send(message).await;
    rig.client_got_nothing().await;
    // The level is set once.
    assert_eq!(rig.asked(&request("2", "prompts/list", json!({}), level)).await["method"], "prompts/list");
}

#[tokio::test]
async fn cancellations_and_faults_reach_the_right_request() {
    let mut rig = Rig::with(|proxy| proxy.translate_versions(VersionTranslation::Always).max_message_bytes(4_000));
    rig.client.send(DISCOVER).await;
    rig.server.line().await;
    rig.server.send(r#"{"id":"d","error":{"code":-32601,"message":"Method not found"}}"#).await;
    rig.greet().await;
    rig.client.message().await;
    let asked = rig.asked(&request("a", "prompts/list", json!({}), json!({}))).await;
    let cancelled = rig.asked(r#"{"method":"notifications/cancelled","params":{"requestId":"a","reason":"x"}}"#).await;
    assert_eq!(cancelled["params"], json!({"requestId": asked["id"], "reason": "x"}));
    // An id of the client that is also one of the proxy, a line that is cut off, and one that is too long.
    for (id, line) in [
        (1, |id: &Value| format!(r#"{{"id":{id},"result":{{"prompts":["#)),
        (2, |id: &Value| format!(r#"{{"id":{id},"result":"{}"}}"#, "x".repeat(5_000))),
    ] as [(u64, fn(&Value) -> String); 2]
    {
        let mut request: Value = serde_json::from_str(&request("", "prompts/list", json!({}), json!({}))).unwrap();
        request["id"] = id.into();
        let asked = rig.asked(&request.to_string()).await;
        rig.server.send(line(&asked["id"])).await;
        let answer = rig.client.message().await;
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(id), &json!(-32603)), "{answer}");
    }
    rig.server.send(r#"{"id":1000,"result":{}}"#).await;
    rig.client_got_nothing().await;
    assert_eq!(rig.report().stray_answers, 1);
}
