//! How the proxy learns the tools of the server.

use std::time::Duration;

use serde_json::{Value, json};
use tool_runtime::clock::SimulatedClock;

use super::rig::{Rig, call, named, search, text};

const CHANGED: &str = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;

#[tokio::test]
async fn calls_before_the_first_list_wait_for_it() {
    let mut rig = Rig::new();
    rig.client.send(call(1, "search", r#"{"query":"a","limit":"3"}"#)).await;
    rig.client.send(call(2, "search", "{}")).await;
    rig.client.send(r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#).await;
    let request = rig.server.message().await;
    assert_eq!((&request["method"], request["id"].is_string()), (&json!("tools/list"), true));
    assert!(rig.server.line().await.contains("ping"), "other requests do not wait");
    rig.server.send(json!({"id": request["id"], "result": {"tools": [search()]}}).to_string()).await;
    assert_eq!(rig.server.line().await, call(1, "search", r#"{"query":"a","limit":3}"#));
    assert!(rig.client.line().await.contains("query is required"));
    rig.client_got_nothing().await;
}

#[tokio::test]
async fn the_proxy_uses_the_pages_of_the_list_that_the_client_requested() {
    let mut rig = Rig::new();
    rig.reaches_server(r#"{"id":1,"method":"tools/list","params":{}}"#).await;
    let page = json!({"id": 1, "result": {"tools": [search()], "nextCursor": "ä"}});
    rig.reaches_client(&page.to_string()).await;
    rig.reaches_server(r#"{"id":2,"method":"tools/list","params":{"cursor":"\u00e4"}}"#).await;
    rig.reaches_client(&json!({"id": 2, "result": {"tools": [named("other")]}}).to_string()).await;
    for (id, tool) in [(3, "search"), (4, "other")] {
        rig.reaches_server(&call(id, tool, r#"{"query":"a"}"#)).await;
        rig.rejected(id + 10, tool, "{}").await;
    }
}

#[tokio::test]
async fn an_incomplete_list_of_the_client_is_not_used() {
    let mut rig = Rig::new();
    rig.reaches_server(r#"{"id":1,"method":"tools/list"}"#).await;
    rig.reaches_client(&json!({"id": 1, "result": {"tools": [search()], "nextCursor": "b"}}).to_string()).await;
    rig.client.send(call(2, "search", r#"{"query":"a"}"#)).await;
    let first = rig.server.message().await;
    assert_eq!((&first["method"], &first["params"]), (&json!("tools/list"), &json!({})));
    rig.server.send(json!({"id": first["id"], "result": {"tools": [search()], "nextCursor": "b"}}).to_string()).await;
    let second = rig.server.message().await;
    assert_eq!(second["params"], json!({"cursor": "b"}));
    assert_ne!(first["id"], second["id"]);
    rig.server.send(json!({"id": second["id"], "result": {"tools": [named("other")]}}).to_string()).await;
    assert_eq!(rig.server.line().await, call(2, "search", r#"{"query":"a"}"#));
    rig.reaches_server(&call(3, "other", r#"{"query":"a"}"#)).await;
    rig.client_got_nothing().await;
}

#[tokio::test]
async fn after_a_change_the_next_call_waits_for_the_new_list() {
    let mut rig = Rig::new();
    rig.list(&[search()]).await;
    rig.reaches_client(CHANGED).await;
    rig.server_got_nothing().await;
    rig.client.send(call(1, "search", r#"{"query":1}"#)).await;
    let schema = json!({"type": "object", "properties": {"query": {"type": "integer"}}});
    rig.answer_list(&[json!({"name": "search", "inputSchema": schema})]).await;
    assert_eq!(rig.server.line().await, call(1, "search", r#"{"query":1}"#));
    rig.reaches_server(&call(2, "search", r#"{"query":2}"#)).await;
    // The answer of the server to a call of a removed tool is explained.
    rig.reaches_client(CHANGED).await;
    rig.client.send(call(3, "search", r#"{"query":3}"#)).await;
    rig.answer_list(&[named("other")]).await;
    assert_eq!(rig.server.line().await, call(3, "search", r#"{"query":3}"#));
    rig.server.send(r#"{"id":3,"error":{"code":-32602,"message":"Unknown tool"}}"#).await;
    assert!(rig.client.line().await.contains("no longer available"));
}

#[tokio::test]
async fn a_list_that_changes_while_it_is_requested_is_requested_again() {
    let mut rig = Rig::new();
    rig.client.send(call(1, "search", r#"{"query":"a"}"#)).await;
    let request = rig.server.message().await;
    rig.reaches_client(CHANGED).await;
    rig.server.send(json!({"id": request["id"], "result": {"tools": [search()]}}).to_string()).await;
    assert_eq!(rig.server.line().await, call(1, "search", r#"{"query":"a"}"#));
    rig.client.send(call(2, "search", r#"{"query":"a"}"#)).await;
    rig.answer_list(&[search()]).await;
    assert_eq!(rig.server.line().await, call(2, "search", r#"{"query":"a"}"#));
    // The same holds for a list of the client.
    rig.reaches_server(r#"{"id":3,"method":"tools/list"}"#).await;
    rig.reaches_client(CHANGED).await;
    rig.reaches_client(&json!({"id": 3, "result": {"tools": [search()]}}).to_string()).await;
    rig.client.send(call(4, "search", r#"{"query":"a"}"#)).await;
    rig.answer_list(&[search()]).await;
    assert_eq!(rig.server.line().await, call(4, "search", r#"{"query":"a"}"#));
}

#[tokio::test]
async fn a_list_expires_after_the_time_that_the_server_gives() {
    let clock = SimulatedClock::new();
    let mut rig = Rig::with(|proxy| proxy.clock(clock.clone()));
    rig.reaches_server(r#"{"id":1,"method":"tools/list"}"#).await;
    rig.reaches_client(&json!({"id": 1, "result": {"tools": [search()], "ttlMs": 5_000}}).to_string()).await;
    clock.advance(Duration::from_millis(4_999));
    rig.reaches_server(&call(2, "search", r#"{"query":"a"}"#)).await;
    clock.advance(Duration::from_millis(1));
    rig.client.send(call(3, "search", r#"{"query":"b"}"#)).await;
    rig.answer_list(&[search()]).await;
    assert_eq!(rig.server.line().await, call(3, "search", r#"{"query":"b"}"#));
}

#[tokio::test]
async fn calls_pass_unchecked_if_the_server_does_not_list_its_tools() {
    let mut rig = Rig::new();
    for (id, answer) in
        [(1, r#""error":{"code":-32601,"message":"no"}"#), (2, r#""result":{}"#), (3, r#""result":[[]]"#)]
    {
        rig.client.send(call(id, "search", r#"{"queri":"a"}"#)).await;
        let request = rig.server.message().await;
        rig.server.send(format!(r#"{{"id":{},{answer}}}"#, request["id"])).await;
        assert_eq!(rig.server.line().await, call(id, "search", r#"{"queri":"a"}"#));
        rig.reaches_client(&text(id, "done")).await;
    }
    let report = rig.report();
    assert_eq!((report.tools["(other names)"].calls, report.tools["(other names)"].unchecked), (3, 3));
}

#[tokio::test]
async fn a_definition_that_cannot_be_used_does_not_affect_the_others() {
    let mut rig = Rig::new();
    let bad = json!({"name": "bad", "inputSchema": {"type": "object", "properties": {"a": {"type": "int"}}}});
    let remote = json!({"name": "remote", "inputSchema": {"$ref": "https://example.org/a.json"}});
    rig.list(&[bad, remote, json!({"name": ""}), json!({"name": 1}), json!(null), search(), named("search")]).await;
    rig.reaches_server(&call(1, "bad", r#"{"a":"x"}"#)).await;
    rig.reaches_server(&call(2, "remote", r#"{"a":"x"}"#)).await;
    rig.rejected(3, "search", "{}").await;
    let remarks = rig.remarks();
    assert_eq!(remarks.len(), 7, "{remarks:?}");
    assert_eq!(remarks[0], "calls of bad are not checked: #/properties/a/type: \"int\" is not a type");
    assert_eq!(rig.report().tools["bad"].unchecked, 1);
}

/// Clients drop the server for such a list, which is forwarded unchanged: anthropics/claude-code#88049.
#[tokio::test]
async fn a_schema_that_some_clients_do_not_accept_is_reported() {
    let mut rig = Rig::new();
    let object = json!({"type": "object"});
    let either = json!({"name": "either", "inputSchema": {"anyOf": [object]}, "outputSchema": object});
    let rows = json!({"name": "rows", "inputSchema": object, "outputSchema": {"type": "array"}});
    rig.list(&[either, rows, json!({"name": "good", "inputSchema": object})]).await;
    rig.reaches_server(&call(1, "rows", "{}")).await;
    let words = r#"has no "type": "object": some clients drop all tools of the server"#;
    assert_eq!(rig.remarks(), [format!("inputSchema of either {words}"), format!("outputSchema of rows {words}")]);
}

#[tokio::test]
async fn a_tool_that_was_listed_twice_is_checked_once_it_is_listed_once() {
    let mut rig = Rig::new();
    rig.list(&[search(), search()]).await;
    rig.rejected(1, "search", "{}").await;
    rig.list(&[search()]).await;
    rig.rejected(2, "search", "{}").await;
}

#[tokio::test]
async fn pages_without_end_are_not_followed() {
    let mut rig = Rig::new();
    rig.client.send(call(1, "search", r#"{"query":"a"}"#)).await;
    rig.client.send(call(2, "missing", "{}")).await;
    let mut pages = 0;
    loop {
        let message = rig.server.message().await;
        if message["method"] != "tools/list" {
            assert_eq!(message["params"]["name"], "search");
            break;
        }
        pages += 1;
        let tools: &[Value] = if pages == 1 { &[search()] } else { &[] };
        let result = json!({"tools": tools, "nextCursor": pages.to_string()});
        rig.server.send(json!({"id": message["id"], "result": result}).to_string()).await;
    }
    assert_eq!(pages, 1_000);
    assert_eq!(rig.server.line().await, call(2, "missing", "{}"), "it may be on a page that was not requested");
}

#[tokio::test]
async fn request_ids_of_the_client_and_of_the_proxy_do_not_collide() {
    let mut rig = Rig::new();
    rig.reaches_server(r#"{"id":"toolbox-proxy-1","method":"ping"}"#).await;
    rig.client.send(call(1, "search", r#"{"query":"a"}"#)).await;
    let request = rig.server.message().await;
    assert_eq!(request["id"], "toolbox-proxy-2");
    rig.client.send(r#"{"id":"toolbox-proxy-2","method":"ping"}"#).await;
    assert_eq!(rig.client.message().await["error"]["code"], -32_600);
    rig.client.send(r#"{"method":"notifications/cancelled","params":{"requestId":"toolbox-proxy-2"}}"#).await;
    rig.server_got_nothing().await;
    rig.server.send(json!({"id": request["id"], "result": {"tools": [search()]}}).to_string()).await;
    assert_eq!(rig.server.line().await, call(1, "search", r#"{"query":"a"}"#));
    rig.reaches_client(r#"{"id":"toolbox-proxy-1","result":{}}"#).await;
}

#[tokio::test(start_paused = true)]
async fn calls_do_not_wait_for_a_list_that_never_comes() {
    let mut rig = Rig::with(|proxy| proxy.list_time_limit(Duration::from_secs(3)));
    let begun = tokio::time::Instant::now();
    rig.client.send(call(1, "search", r#"{"queri":"a"}"#)).await;
    rig.client.send(call(2, "search", r#"{"queri":"b"}"#)).await;
    let request = rig.server.message().await;
    for (id, query) in [(1, "a"), (2, "b")] {
        assert_eq!(rig.server.line().await, call(id, "search", &format!(r#"{{"queri":"{query}"}}"#)));
        rig.reaches_client(&text(id, "done")).await;
    }
    assert_eq!(begun.elapsed(), Duration::from_secs(3));
    // Later calls do not wait, and the proxy does not ask again.
    rig.reaches_server(&call(3, "search", "{}")).await;
    assert_eq!(begun.elapsed(), Duration::from_secs(3));
    assert_eq!(rig.report().tools["(other names)"].unchecked, 3);
    assert_eq!(rig.remarks()[0], "the server has not listed its tools within 3s");
    // A late list is used.
    rig.server.send(json!({"id": request["id"], "result": {"tools": [search()]}}).to_string()).await;
    rig.client_got_nothing().await;
    rig.rejected(4, "search", "{}").await;
    // A list that comes in time is not affected by the limit of an earlier one.
    rig.reaches_client(CHANGED).await;
    rig.client.send(call(5, "search", r#"{"query":"a"}"#)).await;
    let request = rig.server.message().await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    rig.server_got_nothing().await;
    rig.server.send(json!({"id": request["id"], "result": {"tools": [search()]}}).to_string()).await;
    assert_eq!(rig.server.line().await, call(5, "search", r#"{"query":"a"}"#));
}
