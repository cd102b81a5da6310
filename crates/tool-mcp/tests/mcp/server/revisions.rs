//! Containers in the different revisions of the protocol. In some, the list of tools can change.

use serde_json::{Value, json};
use tool_mcp::Server;

use super::tools::{searched_toolbox, toolbox};
use crate::wire::Wire;

async fn names(wire: &mut Wire) -> Vec<String> {
    let list = wire.request("tools/list", json!({})).await;
    let tools = list["result"]["tools"].as_array().expect("a list").clone();
    tools.iter().filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect()
}

const BEFORE: [&str; 6] = ["add", "forecast", "reject", "parts", "measure", "Clock"];

#[tokio::test]
async fn an_expansion_changes_the_list_of_a_connection_and_announces_it_once() {
    for revision in ["2025-06-18", "2025-11-25"] {
        let mut wire = Wire::initialize(Server::new(toolbox()), revision, json!({})).await;
        assert_eq!(names(&mut wire).await, BEFORE);
        for is_first in [true, false] {
            let id = wire.begin("tools/call", json!({"name": "Clock", "arguments": {}})).await;
            if is_first {
                let news = wire.next().await.expect("a notification");
                assert_eq!(news["method"], "notifications/tools/list_changed");
            }
            let answer = wire.next().await.expect("an answer");
            assert_eq!(answer["id"], id);
            assert_eq!(answer["result"]["structuredContent"]["functions"], json!(["hour"]));
        }
        assert_eq!(names(&mut wire).await, [&BEFORE[..], &["hour"]].concat());
        assert_eq!(wire.call("hour", json!({})).await["result"]["content"][0]["text"], "12");
        wire.close().await;
    }
}

/// Each connection has its own session.
#[tokio::test]
async fn an_expansion_changes_nothing_for_other_connections() {
    let server = Server::new(toolbox());
    let mut first = Wire::initialize(server.clone(), "2025-11-25", json!({})).await;
    let mut second = Wire::initialize(server, "2025-11-25", json!({})).await;
    first.call("Clock", json!({})).await;
    assert_eq!(names(&mut first).await.len(), 7);
    assert_eq!(names(&mut second).await, BEFORE);
    first.close().await;
    second.close().await;
}

#[tokio::test]
async fn without_connections_the_list_never_changes_and_members_can_always_be_called() {
    let mut wire = Wire::stateless(Server::new(toolbox()), json!({}));
    let fixed = [&BEFORE[..], &["call_tool"]].concat();
    assert_eq!(names(&mut wire).await, fixed);
    // The container may have been expanded in another process, so its members can always be called.
    assert_eq!(wire.call("hour", json!({})).await["result"]["content"][0]["text"], "12");
    let through = wire.call("call_tool", json!({"tool": "hour", "arguments": {}})).await;
    assert_eq!(through["result"]["content"][0]["text"], "12");

    let expansion = wire.call("Clock", json!({})).await;
    let definitions = &expansion["result"]["structuredContent"]["definitions"];
    assert_eq!(definitions[0]["name"], "hour");
    assert_eq!(definitions[0]["input_schema"]["type"], "object");
    assert_eq!(names(&mut wire).await, fixed);
    wire.close().await;
}

#[tokio::test]
async fn a_search_shows_tools_in_every_revision() {
    let query = json!({"query": "what hour is it?"});
    let mut wire = Wire::initialize(Server::new(searched_toolbox()), "2025-11-25", json!({})).await;
    assert_eq!(names(&mut wire).await, ["Clock", "find_tools"]);
    let id = wire.begin("tools/call", json!({"name": "find_tools", "arguments": query})).await;
    assert_eq!(wire.next().await.expect("a notification")["method"], "notifications/tools/list_changed");
    let answer = wire.next().await.expect("an answer");
    assert_eq!(answer["id"], id);
    assert_eq!(answer["result"]["structuredContent"]["found"], json!(["hour"]));
    assert_eq!(names(&mut wire).await, ["Clock", "find_tools", "hour"]);
    assert_eq!(wire.call("hour", json!({})).await["result"]["content"][0]["text"], "12");
    wire.close().await;

    let mut wire = Wire::stateless(Server::new(searched_toolbox()), json!({}));
    let fixed = ["Clock", "find_tools", "call_tool"];
    assert_eq!(names(&mut wire).await, fixed);
    let answer = wire.call("find_tools", query).await;
    assert_eq!(answer["result"]["structuredContent"]["definitions"][0]["name"], "hour");
    assert_eq!(names(&mut wire).await, fixed);
    let through = wire.call("call_tool", json!({"tool": "hour", "arguments": {}})).await;
    assert_eq!(through["result"]["content"][0]["text"], "12");
    wire.close().await;
}

#[tokio::test]
async fn call_tool_does_not_call_itself() {
    let mut wire = Wire::stateless(Server::new(toolbox()), json!({}));
    let nested = json!({"tool": "call_tool", "arguments": {"tool": "hour", "arguments": {}}});
    assert_eq!(wire.call("call_tool", nested).await["error"]["code"], -32602);
    wire.close().await;
}

#[tokio::test]
async fn answers_in_revision_2026_07_28_have_the_form_of_that_revision() {
    let mut wire = Wire::stateless(Server::new(toolbox()).named("test", "1.2.3"), json!({}));
    let found = wire.request("server/discover", json!({})).await;
    assert_eq!(found["result"]["capabilities"], json!({"tools": {}}));
    let supported = found["result"]["supportedVersions"].as_array().expect("a list");
    for revision in ["2025-06-18", "2025-11-25", "2026-07-28"] {
        assert!(supported.contains(&json!(revision)), "{found}");
    }
    let list = wire.request("tools/list", json!({})).await;
    assert_eq!((&list["result"]["resultType"], &list["result"]["cacheScope"]), (&json!("complete"), &json!("private")));
    // Structured content can be any JSON value.
    for sum in [json!({"a": 1, "b": 2}), json!(r#"{"a": 2, "b": 1}"#)] {
        let answer = wire.call("add", sum).await;
        let expected = json!({
            "resultType": "complete",
            "content": [{"type": "text", "text": "3.0"}],
            "structuredContent": 3.0,
            "isError": false,
        });
        assert_eq!(without_notes(&answer), expected);
    }
    wire.close().await;
}

fn without_notes(answer: &Value) -> Value {
    let mut result = answer["result"].clone();
    result.as_object_mut().expect("a result").remove("_meta");
    result
}

#[tokio::test]
async fn a_revision_that_does_not_exist_is_rejected() {
    let mut wire = Wire::connect(Server::new(toolbox()));
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2031-01-01",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let answer = wire.request("tools/list", json!({"_meta": meta})).await;
    assert!(answer["error"]["code"].is_i64(), "{answer}");
    wire.close().await;
}
