//! Lists and calls, over the revisions with an `initialize` request.

use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, CallToolResult};
use serde_json::{Value, json};
use tool_mcp::{Server, rmcp};

use super::tools::toolbox;
use crate::wire::Wire;

const REVISIONS: [&str; 2] = ["2025-06-18", "2025-11-25"];

fn arguments(value: Value) -> rmcp::model::JsonObject {
    serde_json::from_value(value).expect("an object")
}

/// The official client lists the tools, calls them, and receives a rejection.
#[tokio::test]
async fn a_client_of_rmcp_lists_and_calls() {
    let (near, far) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(far);
    let served = tokio::spawn(Server::new(toolbox()).named("test", "1.2.3").serve_streams(input, output));
    let client = ().serve(near).await.expect("the client connects");
    assert_eq!(
        client.peer_info().and_then(|info| info.server_info.clone()).map(|info| info.version),
        Some("1.2.3".to_owned())
    );

    let tools = client.list_all_tools().await.expect("a list");
    let names: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["add", "forecast", "reject", "parts", "measure", "Clock"]);

    let call =
        |name: &'static str, value| client.call_tool(CallToolRequestParams::new(name).with_arguments(arguments(value)));
    let sum: CallToolResult = call("add", json!({"a": 1, "b": 2})).await.expect("a result");
    assert_eq!(sum.content[0].as_text().map(|text| &*text.text), Some("3.0"));
    assert_eq!(sum.is_error, Some(false));

    let rejected = call("add", json!({"a": 1, "c": 2})).await.expect("a result");
    assert_eq!(rejected.is_error, Some(true));
    let text = rejected.content[0].as_text().expect("a text");
    assert!(text.text.starts_with("add was not run: b is required"), "{}", text.text);

    client.cancel().await.expect("the client ends");
    served.await.expect("no panic").expect("the connection ended well");
}

#[tokio::test]
async fn a_definition_has_its_title_icons_annotations_and_meta() {
    for revision in REVISIONS {
        let mut wire = Wire::initialize(Server::new(toolbox()), revision, json!({})).await;
        let list = wire.request("tools/list", json!({})).await;
        let add = &list["result"]["tools"][0];
        assert_eq!(add["title"], "Addition");
        assert_eq!(add["icons"], json!([{"src": "https://example.com/plus.png"}]));
        assert_eq!(add["annotations"], json!({"readOnlyHint": true}));
        assert_eq!(add["_meta"], json!({"com.example/tier": 2}));
        let keys: Vec<_> = add["inputSchema"]["properties"].as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["a", "b"]);
        assert_eq!(list["result"]["tools"][1]["outputSchema"]["properties"]["days"]["maximum"], 14);
        assert_eq!(list["result"].get("resultType"), None);
        wire.close().await;
    }
}

#[tokio::test]
async fn a_result_has_text_and_structured_content() {
    let mut wire = Wire::initialize(Server::new(toolbox()), "2025-11-25", json!({})).await;
    let answer = wire.call("forecast", json!({"days": 3})).await;
    let expected = json!({"content": [{"type": "text", "text": r#"{"days":3}"#}], "structuredContent": {"days": 3}, "isError": false});
    assert_eq!(answer["result"], expected);
    let answer = wire.call("measure", json!({})).await;
    assert_eq!(answer["result"]["structuredContent"], json!({"degrees": 22}));
    assert_eq!(answer["result"]["content"], json!([{"type": "text", "text": "22 °C"}]));
    wire.close().await;
}

/// Before 2026-07-28, structured content has to be an object.
#[tokio::test]
async fn structured_content_that_is_not_an_object_is_left_out() {
    let mut wire = Wire::initialize(Server::new(toolbox()), "2025-06-18", json!({})).await;
    let answer = wire.call("add", json!({"a": 1, "b": 2})).await;
    assert_eq!(answer["result"], json!({"content": [{"type": "text", "text": "3.0"}], "isError": false}));
    wire.close().await;
}

#[tokio::test]
async fn every_kind_of_part_reaches_the_client() {
    let mut wire = Wire::initialize(Server::new(toolbox()), "2025-11-25", json!({})).await;
    let answer = wire.call("parts", json!({})).await;
    let expected = json!([
        {"type": "text", "text": "All kinds:"},
        {"type": "image", "data": "iVBORw==", "mimeType": "image/png"},
        {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"},
        {"type": "resource_link", "uri": "file:///a.csv", "name": "a.csv"},
        {"type": "resource", "resource": {"uri": "file:///notes.txt", "text": "Buy milk."}},
        {"type": "text", "text": "[file:///gone]"},
    ]);
    assert_eq!(answer["result"]["content"], expected);
    wire.close().await;
}

/// Clients reject a result that does not fit its output schema, so the model would not see it.
#[tokio::test]
async fn a_result_that_does_not_fit_its_output_schema_is_an_error() {
    let mut wire = Wire::initialize(Server::new(toolbox()), "2025-11-25", json!({})).await;
    let answer = wire.call("forecast", json!({"days": 30})).await;
    assert_eq!(answer["result"]["isError"], true);
    assert_eq!(answer["result"].get("structuredContent"), None);
    let text = answer["result"]["content"][0]["text"].as_str().expect("a text");
    let says = "The tool has run, but its result does not fit its output schema at: /days.";
    assert!(text.contains(says), "{text}");
    wire.close().await;
}

#[tokio::test]
async fn an_error_of_a_tool_is_a_result() {
    let mut wire = Wire::initialize(Server::new(toolbox()), "2025-11-25", json!({})).await;
    let answer = wire.call("reject", json!({})).await;
    assert_eq!(answer["result"]["isError"], true);
    assert!(
        answer["result"]["content"][0]["text"].as_str().is_some_and(|text| text.contains("The account is closed."))
    );
    wire.close().await;
}

#[tokio::test]
async fn an_unknown_tool_is_a_protocol_error_unless_the_host_asks_for_a_result() {
    let mut wire = Wire::initialize(Server::new(toolbox()), "2025-11-25", json!({})).await;
    let answer = wire.call("forcast", json!({})).await;
    assert_eq!(answer["error"]["code"], -32602);
    assert_eq!(answer["error"]["message"], "There is no tool 'forcast'. Did you mean forecast?");
    assert_eq!(answer["error"]["data"]["error_type"], "unknown_tool");
    let answer = wire.call("swim", json!({})).await;
    let expected = "There is no tool 'swim'. There are: add, forecast, reject, parts, measure, Clock.";
    assert_eq!(answer["error"]["message"], expected);
    wire.close().await;

    let server = Server::new(toolbox()).unknown_tools_as_results();
    let mut wire = Wire::initialize(server, "2025-11-25", json!({})).await;
    let answer = wire.call("forcast_it", json!({})).await;
    assert_eq!(answer["result"]["isError"], true);
    wire.close().await;
}

/// The tool exists, so the model must learn how it can call the tool.
#[tokio::test]
async fn a_member_that_is_not_visible_is_answered_with_a_result() {
    let mut wire = Wire::initialize(Server::new(toolbox()), "2025-11-25", json!({})).await;
    let answer = wire.call("hour", json!({})).await;
    assert_eq!(answer["result"]["isError"], true);
    assert!(answer["result"]["content"][0]["text"].as_str().is_some_and(|text| text.contains("Clock")));
    wire.close().await;
}

/// The SDK cannot represent these calls.
#[tokio::test]
async fn arguments_that_are_not_an_object_are_repaired_or_rejected_with_a_hint() {
    let mut wire = Wire::initialize(Server::new(toolbox()), "2025-11-25", json!({})).await;
    for sum in [json!(r#"{"a": 1, "b": 2}"#), json!(r#"{'a': 1, "b": 2,}"#)] {
        let answer = wire.call("add", sum).await;
        assert_eq!(answer["result"]["content"][0]["text"], "3.0", "{answer}");
        assert_eq!(answer["result"]["isError"], false);
    }
    for rejected in [json!([1, 2]), json!(5), json!("1, 2"), json!(true)] {
        let answer = wire.call("add", rejected).await;
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        let text = answer["result"]["content"][0]["text"].as_str().expect("a text");
        assert!(text.starts_with("add was not run: "), "{text}");
    }
    let answer = wire.request("tools/call", json!({"name": 5, "arguments": {}})).await;
    assert_eq!(answer["error"]["code"], -32602);
    let answer = wire.request("tools/unknown", json!({})).await;
    assert_eq!(answer["error"]["code"], -32601);
    wire.close().await;
}

#[tokio::test]
async fn repairs_are_reported_in_the_meta_and_not_in_the_content() {
    let mut wire = Wire::initialize(Server::new(toolbox()), "2025-11-25", json!({})).await;
    let answer = wire.call("add", json!({"a": "1.5", "b": 2})).await;
    assert_eq!(answer["result"]["content"], json!([{"type": "text", "text": "3.5"}]));
    assert_eq!(answer["result"]["_meta"], json!({"tool-runtime/repairs": [r#"Read a "1.5" as 1.5."#]}));
    wire.close().await;
}

#[tokio::test]
async fn a_cursor_that_was_not_issued_is_rejected() {
    let mut wire = Wire::initialize(Server::new(toolbox()), "2025-11-25", json!({})).await;
    let answer = wire.request("tools/list", json!({"cursor": "5"})).await;
    assert_eq!(answer["error"]["code"], -32602);
    wire.close().await;
}

/// The SDK reads no id from such a message, so the error has no id.
#[tokio::test]
async fn a_message_that_is_not_a_request_is_an_error_and_the_connection_goes_on() {
    let mut wire = Wire::initialize(Server::new(toolbox()), "2025-11-25", json!({})).await;
    for line in [r#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": []}"#, "[]", r#"{"id": 5}"#, "5"] {
        wire.send_line(line).await;
        let answer = wire.next().await.expect("an answer");
        assert_eq!(answer["error"]["code"], -32600, "{line}");
    }
    // Text that is not JSON is not answered. Servers with other SDKs do the same.
    wire.send_line("{'not': json").await;
    wire.send_line("").await;
    assert_eq!(wire.call("add", json!({"a": 1, "b": 2})).await["result"]["isError"], false);
    wire.close().await;
}

/// A client that disconnects before or during the handshake causes no error.
#[tokio::test]
async fn a_client_may_leave_at_once() {
    Wire::connect(Server::new(toolbox())).close().await;
}
