//! Calls that a hook defers, so that the user of the client decides.

use serde_json::{Value, json};
use tool_mcp::Server;
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::tool::ExternalTool;
use tool_runtime::{ToolInput, Toolbox, tool};

use crate::wire::Wire;

/// Deletes a file.
#[tool(destructive)]
fn delete(
    /// The path of the file.
    path: String,
    /// The password of the owner.
    #[tool(sensitive)]
    password: String,
) -> String {
    drop(password);
    format!("{path} is gone")
}

#[derive(serde::Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Question {
    /// The question, in one sentence.
    question: String,
}

fn server() -> Server {
    let ask = ExternalTool::typed::<Question>("ask_user", "Asks the user a question.");
    let builder = Toolbox::builder().tool(DeleteTool).tool(ask).no_throttle();
    let builder = builder.before_call(|call: &ProposedCall<'_>| match call.name() {
        "delete" => Verdict::Defer,
        _ => Verdict::Run,
    });
    Server::new(builder.build().expect("the tools are valid"))
}

fn arguments() -> Value {
    json!({"path": "/tmp/a", "password": "hunter2"})
}

const QUESTION: &str = r#"May delete run with {"path":"/tmp/a","password":"<redacted>"}?"#;

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {answer}"))
}

/// Calls `delete`, answers the question of the server, and returns the answer to the call.
async fn decided(capability: Value, reply: Value) -> Value {
    let mut wire = Wire::initialize(server(), "2025-11-25", json!({"elicitation": capability})).await;
    let id = wire.begin("tools/call", json!({"name": "delete", "arguments": arguments()})).await;
    let question = wire.next().await.expect("a question");
    assert_eq!(question["method"], "elicitation/create");
    assert_eq!((&question["params"]["mode"], &question["params"]["message"]), (&json!("form"), &json!(QUESTION)));
    assert_eq!(question["params"]["requestedSchema"], json!({"type": "object", "properties": {}}));
    let mut message = json!({"jsonrpc": "2.0", "id": question["id"]});
    message.as_object_mut().expect("an object").extend(reply.as_object().expect("an object").clone());
    wire.send(&message).await;
    let answer = wire.next().await.expect("an answer");
    assert_eq!(answer["id"], id);
    wire.close().await;
    answer
}

#[tokio::test]
async fn the_user_decides_while_the_call_waits() {
    for capability in [json!({}), json!({"form": {}})] {
        let accepted = decided(capability.clone(), json!({"result": {"action": "accept", "content": {}}})).await;
        assert_eq!(text(&accepted), "/tmp/a is gone");
        for action in ["decline", "cancel"] {
            let declined = decided(capability.clone(), json!({"result": {"action": action}})).await;
            assert!(text(&declined).contains("delete was not run: The user has denied the call."), "{declined}");
        }
    }
    let failed = decided(json!({}), json!({"error": {"code": -32603, "message": "no screen"}})).await;
    assert!(text(&failed).contains("delete was not run: It needs the approval of the user"), "{failed}");
}

#[tokio::test]
async fn without_elicitation_the_answer_says_that_nothing_ran() {
    let wires = [
        Wire::initialize(server(), "2025-11-25", json!({})).await,
        Wire::initialize(server(), "2025-11-25", json!({"elicitation": {"url": {}}})).await,
        Wire::stateless(server(), json!({})),
    ];
    for mut wire in wires {
        let answer = wire.call("delete", arguments()).await;
        assert_eq!(answer["result"]["isError"], true);
        assert!(
            text(&answer).contains("delete was not run: It needs the approval of the user, and this client cannot ask"),
            "{answer}"
        );
        assert!(!text(&answer).contains("later"), "{answer}");
        wire.close().await;
    }
}

/// The tool cannot run even if the user allows the call, so the user is not asked.
#[tokio::test]
async fn the_user_is_not_asked_about_a_tool_without_a_handler() {
    let mut wire = Wire::stateless(server(), json!({"elicitation": {}}));
    let answer = wire.call("ask_user", json!({"question": "Which colour?"})).await;
    assert!(text(&answer).contains("ask_user was not run"), "{answer}");
    assert!(!text(&answer).contains("later"), "{answer}");
    wire.close().await;
}

/// Returns the parameters of a call with the answer to a question, in the form of protocol version 2026-07-28.
fn repeated(arguments: Value, state: &Value, answer: Value) -> Value {
    json!({"name": "delete", "arguments": arguments, "requestState": state, "inputResponses": {"approval": answer}})
}

#[tokio::test]
async fn a_client_without_a_connection_repeats_the_call_with_the_answer() {
    let mut wire = Wire::stateless(server(), json!({"elicitation": {}}));
    let asked = wire.call("delete", arguments()).await;
    assert_eq!(asked["result"]["resultType"], "input_required");
    assert_eq!(asked["result"]["inputRequests"]["approval"]["method"], "elicitation/create");
    assert_eq!(asked["result"]["inputRequests"]["approval"]["params"]["message"], QUESTION);
    let state = &asked["result"]["requestState"];
    assert!(!asked.to_string().contains("hunter2"), "{asked}");

    let accept = json!({"action": "accept", "content": {}});
    let accepted = wire.request("tools/call", repeated(arguments(), state, accept.clone())).await;
    assert_eq!(text(&accepted), "/tmp/a is gone");
    // The user is also asked about arguments that are not an object.
    let written = json!(arguments().to_string());
    let asked = wire.call("delete", written.clone()).await;
    let accepted = wire.request("tools/call", repeated(written, &asked["result"]["requestState"], accept)).await;
    assert_eq!(text(&accepted), "/tmp/a is gone");
    let asked = wire.call("delete", arguments()).await;
    let state = &asked["result"]["requestState"];
    let declined = wire.request("tools/call", repeated(arguments(), state, json!({"action": "decline"}))).await;
    assert!(text(&declined).contains("The user has denied the call."), "{declined}");
    wire.close().await;
}

/// An answer of the user applies to one call. If the request is sent again, the user is asked again.
#[tokio::test]
async fn an_answer_of_the_user_applies_to_one_call_only() {
    let mut wire = Wire::stateless(server(), json!({"elicitation": {}}));
    for reply in [json!({"action": "accept", "content": {}}), json!({"action": "decline"})] {
        let asked = wire.call("delete", arguments()).await;
        let call = repeated(arguments(), &asked["result"]["requestState"], reply);
        let first = wire.request("tools/call", call.clone()).await;
        assert_eq!(first["result"]["resultType"], "complete", "{first}");
        for _ in 0..2 {
            let again = wire.request("tools/call", call.clone()).await;
            assert_eq!(again["result"]["resultType"], "input_required", "{again}");
            assert_ne!(again["result"]["requestState"], asked["result"]["requestState"]);
        }
    }
    wire.close().await;
}

/// The form has no fields. Additional values are ignored, but the content has to be an object.
#[tokio::test]
async fn the_values_of_an_answer_have_to_fit_the_form() {
    let mut wire = Wire::stateless(server(), json!({"elicitation": {}}));
    for (content, is_run) in [(json!({"note": "why not"}), true), (json!([true]), false), (json!("yes"), false)] {
        let asked = wire.call("delete", arguments()).await;
        let reply = json!({"action": "accept", "content": content});
        let answer =
            wire.request("tools/call", repeated(arguments(), &asked["result"]["requestState"], reply.clone())).await;
        assert_eq!(
            (answer["result"]["isError"] == false, answer["error"]["code"] == -32602),
            (is_run, !is_run),
            "{answer}"
        );
        let answer = decided(json!({}), json!({"result": reply})).await;
        assert_eq!(text(&answer) == "/tmp/a is gone", is_run, "{answer}");
    }
    wire.close().await;
}

#[tokio::test]
async fn an_answer_counts_only_for_the_call_that_the_question_was_about() {
    let mut wire = Wire::stateless(server(), json!({"elicitation": {}}));
    let asked = wire.call("delete", arguments()).await;
    let state = &asked["result"]["requestState"];
    let accept = json!({"action": "accept", "content": {}});
    let other = json!({"path": "/etc/passwd", "password": "hunter2"});
    let forged = json!(format!("{}x", state.as_str().expect("a text")));
    for (arguments, state) in [(other, state), (arguments(), &forged), (arguments(), &json!("approval"))] {
        let rejected = wire.request("tools/call", repeated(arguments, state, accept.clone())).await;
        assert_eq!(rejected["error"]["code"], -32602, "{rejected}");
    }
    let rejected = wire.request("tools/call", repeated(arguments(), state, json!({"action": "maybe"}))).await;
    assert_eq!(rejected["error"]["code"], -32602, "{rejected}");
    // Without the state, the server does not know which question the answer belongs to.
    let again = wire.request("tools/call", repeated(arguments(), &Value::Null, accept.clone())).await;
    assert_eq!(again["result"]["resultType"], "input_required");
    wire.close().await;

    // Each process has a different key unless the host sets the same key.
    for (key, is_run) in [(None, false), (Some([7; 32]), true)] {
        let keyed = || key.map_or_else(server, |key| server().state_secret(key));
        let (mut first, mut second) = (
            Wire::stateless(keyed(), json!({"elicitation": {}})),
            Wire::stateless(keyed(), json!({"elicitation": {}})),
        );
        let asked = first.call("delete", arguments()).await;
        let state = &asked["result"]["requestState"];
        let answer = second.request("tools/call", repeated(arguments(), state, accept.clone())).await;
        assert_eq!(answer["result"]["isError"] == false, is_run, "{answer}");
        first.close().await;
        second.close().await;
    }
}
