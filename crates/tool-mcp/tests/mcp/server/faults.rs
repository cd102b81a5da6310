//! Clients and tools that misbehave. Every call has exactly one answer, and the server continues.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tool_mcp::Server;
use tool_runtime::tool::{AnswerOrFuture, Payload, Tool, ToolSpec};
use tool_runtime::tool_schema::shape::{Ref, Shape};
use tool_runtime::{Arguments, CallContext, Toolbox, tool};

use super::tools::toolbox;
use crate::wire::Wire;

/// Panics.
#[tool]
fn explode() {
    panic!("the details are not for the model");
}

#[tokio::test]
async fn a_panicking_tool_is_answered_with_an_error() {
    let toolbox = Toolbox::builder().tool(ExplodeTool).build().expect("the tool is valid");
    let mut wire = Wire::initialize(Server::new(toolbox), "2025-11-25", json!({})).await;
    let answer = wire.call("explode", json!({})).await;
    assert_eq!(answer["result"]["isError"], true);
    assert!(!answer.to_string().contains("details"), "{answer}");
    wire.close().await;
}

/// Sends many calls at once, good and bad, and counts the answers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_call_of_two_clients_has_exactly_one_answer() {
    let server = Server::new(toolbox());
    let client = |server: Server| async move {
        let mut wire = Wire::initialize(server, "2025-11-25", json!({})).await;
        let calls = [
            json!({"name": "add", "arguments": {"a": 1, "b": 2}}),
            json!({"name": "add", "arguments": "1, 2"}),
            json!({"name": "nothing", "arguments": {}}),
            json!({"name": "", "arguments": {}}),
            json!({"name": "parts"}),
            json!({"name": "add", "arguments": {"a": "x".repeat(10_000)}}),
        ];
        let mut open = BTreeSet::new();
        for call in calls.iter().cycle().take(300) {
            open.insert(wire.begin("tools/call", call.clone()).await);
        }
        while !open.is_empty() {
            let answer = wire.next().await.expect("an answer");
            let id = answer["id"].as_u64().expect("an id");
            assert!(open.remove(&id), "a second answer: {answer}");
        }
        wire.close().await;
    };
    tokio::join!(client(server.clone()), client(server));
}

/// A client may use a JSON-RPC id again after the answer, and an id may be a text.
#[tokio::test]
async fn a_request_may_have_the_id_of_an_earlier_one() {
    let mut wire = Wire::initialize(Server::new(toolbox()), "2025-11-25", json!({})).await;
    for (number, id) in [json!(7), json!(7), json!("seven"), json!("seven"), json!("")].into_iter().enumerate() {
        let params = json!({"name": "add", "arguments": {"a": number, "b": 2}});
        wire.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})).await;
        let answer = wire.next().await.expect("an answer");
        assert_eq!((&answer["id"], &answer["result"]["isError"]), (&id, &json!(false)));
    }
    wire.close().await;
}

#[tokio::test]
async fn odd_names_are_answered() {
    let mut wire = Wire::initialize(Server::new(toolbox()), "2025-11-25", json!({})).await;
    for name in ["\u{0}", "a\nb", "\u{202e}add", "ädd", "add\"}", &"x".repeat(100_000), "tools/call"] {
        let answer = wire.call(name, json!({})).await;
        // After several unknown names in a row, the throttle answers, and its answer is a result.
        let is_rejected = answer["error"]["code"] == -32602 || answer["result"]["isError"] == true;
        assert!(is_rejected && answer.to_string().len() < 5_000, "{answer:.500}");
    }
    assert_eq!(wire.call("add", json!({"a": 1, "b": 2})).await["result"]["isError"], false);
    wire.close().await;
}

#[tokio::test]
async fn a_line_that_is_too_long_is_dropped_and_the_connection_goes_on() {
    let mut wire = Wire::initialize(Server::new(toolbox()), "2025-11-25", json!({})).await;
    wire.send_line(&"x".repeat(17 << 20)).await;
    assert_eq!(wire.call("add", json!({"a": 1, "b": 2})).await["result"]["isError"], false);
    wire.close().await;
}

#[tokio::test]
async fn deep_arguments_are_rejected() {
    let mut wire = Wire::initialize(Server::new(toolbox()), "2025-11-25", json!({})).await;
    for depth in [60, 100] {
        let mut value = json!(1);
        for _ in 0..depth {
            value = json!([value]);
        }
        let answer = wire.call("add", json!({"a": value, "b": 2})).await;
        assert_eq!(answer["result"]["isError"], true, "{answer}");
    }
    // This message is nested too deeply for the parser of the SDK, so it is not answered.
    let text = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    wire.send_line(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"arguments":{text}}}}}"#))
        .await;
    assert_eq!(wire.call("add", json!({"a": 1, "b": 2})).await["result"]["isError"], false);
    wire.close().await;
}

struct Numbered(ToolSpec);

impl Tool for Numbered {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn call<'a>(&'a self, _: Arguments<'a>, _: &'a CallContext) -> AnswerOrFuture<'a> {
        AnswerOrFuture::Ready(Ok(Payload::Text(self.0.name.to_string())))
    }
}

#[tokio::test]
async fn ten_thousand_tools_are_listed_and_called() {
    let tool = |number| Numbered(ToolSpec::new(format!("tool_{number}"), "One of many.", Ref::Static(Shape::ANY)));
    let builder = (0..10_000).fold(Toolbox::builder(), |builder, number| builder.tool(tool(number)));
    let server = Server::new(builder.build().expect("the tools are valid"));
    for mut wire in
        [Wire::initialize(server.clone(), "2025-11-25", json!({})).await, Wire::stateless(server, json!({}))]
    {
        let list: Value = wire.request("tools/list", json!({})).await;
        assert_eq!(list["result"]["tools"].as_array().map(Vec::len), Some(10_000));
        for number in [0, 5_000, 9_999] {
            let name = format!("tool_{number}");
            assert_eq!(wire.call(&name, json!({})).await["result"]["content"][0]["text"], name);
        }
        let answer = wire.call("tool_10000", json!({})).await;
        assert!(answer["error"]["message"].as_str().is_some_and(|message| message.len() < 2_000), "{answer}");
        wire.close().await;
    }
}
