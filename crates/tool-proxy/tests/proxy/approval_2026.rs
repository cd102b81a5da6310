//! Calls that the user has to approve in protocol version 2026-07-28: the answer is a question, and the client repeats the call.

use std::time::Duration;

use serde_json::{Value, json};
use tool_proxy::{Approval, ProxyBuilder};

use super::approvals::asking;
use super::rig::{Rig, search};

/// A call of a client with these capabilities. `more` are further parameters.
fn modern(id: u64, arguments: &str, capabilities: &str, more: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0", "id":{id}, "method":"tools/call", "params":{{"name":"search","arguments":{arguments},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{capabilities}}}{more}}}}}"#
    )
}

fn asked(id: u64, arguments: &str, more: &str) -> String {
    modern(id, arguments, r#"{"elicitation":{}}"#, more)
}

/// The further parameters of a repeated call.
fn with(state: &str, answer: &str) -> String {
    format!(r#","inputResponses":{{"toolbox-proxy-approval":{answer}}},"requestState":"{state}""#)
}

const ARGUMENTS: &str = r#"{"query":"a"}"#;
const ACCEPT: &str = r#"{"action":"accept","content":{}}"#;

impl Rig {
    /// Sends a call, and receives the state and the text of the question that answers it.
    async fn state(&mut self, id: u64, line: String) -> (String, String) {
        self.client.send(line).await;
        let answer = self.client.message().await;
        let result = &answer["result"];
        assert_eq!((&answer["id"], &result["resultType"]), (&json!(id), &json!("input_required")), "{answer}");
        let question = &result["inputRequests"]["toolbox-proxy-approval"];
        assert_eq!(question["method"], "elicitation/create");
        assert_eq!(question["params"]["requestedSchema"], json!({"type": "object", "properties": {}}));
        self.server_got_nothing().await;
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (text(&result["requestState"]), text(&question["params"]["message"]))
    }

    /// Sends a call, and receives the failure that answers it.
    async fn failed(&mut self, id: u64, line: String) -> Value {
        self.client.send(line).await;
        let answer = self.client.message().await;
        assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(id), &json!(true)), "{answer}");
        assert_eq!(answer["result"]["resultType"], "complete");
        self.server_got_nothing().await;
        serde_json::from_str(answer["result"]["content"][0]["text"].as_str().unwrap()).unwrap()
    }
}

async fn rig() -> Rig {
    let mut rig = Rig::with(asking);
    rig.list(&[search()]).await;
    rig
}

#[tokio::test]
async fn the_server_gets_the_repeated_call_after_the_consent_of_the_user() {
    let mut rig = rig().await;
    let arguments = r#"{"query": "a", "limit": "3"}"#;
    let (state, message) = rig.state(1, asked(1, arguments, "")).await;
    assert_eq!(message, r#"May search run with {"query":"a","limit":3}?"#);
    rig.client.send(asked(2, arguments, &with(&state, ACCEPT))).await;
    // The server gets the repaired call, without the answer and the state of the proxy.
    let forwarded: Value = serde_json::from_str(&rig.server.line().await).unwrap();
    let expected: Value = serde_json::from_str(&asked(2, r#"{"query":"a","limit":3}"#, "")).unwrap();
    assert_eq!(forwarded, expected);
    rig.reaches_client(r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[]}}"#).await;
    // The question and the repeated call are one call.
    assert_eq!((rig.report().tools["search"].calls, rig.report().tools["search"].rejected), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn a_state_counts_once_for_ten_minutes_and_only_for_its_call() {
    let mut rig = rig().await;
    let (state, _) = rig.state(1, asked(1, ARGUMENTS, "")).await;
    rig.client.send(asked(2, ARGUMENTS, &with(&state, ACCEPT))).await;
    rig.server.message().await;
    rig.reaches_client(r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[]}}"#).await;
    // The same answer again.
    let (state, _) = rig.state(3, asked(3, ARGUMENTS, &with(&state, ACCEPT))).await;
    // The answer to a question about other arguments.
    let (state, message) = rig.state(4, asked(4, r#"{"query":"b"}"#, &with(&state, ACCEPT))).await;
    assert_eq!(message, r#"May search run with {"query":"b"}?"#);
    // Too late.
    tokio::time::sleep(Duration::from_secs(601)).await;
    let (state, _) = rig.state(5, asked(5, r#"{"query":"b"}"#, &with(&state, ACCEPT))).await;
    // Invented states, and a state without an answer.
    for invented in ["", "toolbox-proxy-00000000000000000000000000000001", "x"] {
        rig.state(6, asked(6, ARGUMENTS, &with(invented, ACCEPT))).await;
    }
    let (state, _) = rig.state(7, asked(7, r#"{"query":"b"}"#, &format!(r#","requestState":"{state}""#))).await;
    rig.client.send(asked(8, r#"{"query":"b"}"#, &with(&state, ACCEPT))).await;
    assert_eq!(rig.server.message().await["id"], 8);
}

#[tokio::test]
async fn without_consent_the_server_does_not_get_the_call() {
    let mut rig = rig().await;
    for (id, answer, error_type) in [
        (1, r#"{"action":"decline"}"#, "denied"),
        (3, r#"{"action":"cancel"}"#, "denied"),
        (5, r#"{"action":"yes"}"#, "denied"),
        (7, r#"{"action":"accept","action":"accept"}"#, "denied"),
        (9, "true", "denied"),
    ] {
        let arguments = format!(r#"{{"query":"{id}"}}"#);
        let (state, _) = rig.state(id, asked(id, &arguments, "")).await;
        let failure = rig.failed(id + 1, asked(id + 1, &arguments, &with(&state, answer))).await;
        assert_eq!(failure["error_type"], error_type, "{answer}");
    }
    // Two answers under one name, of which a parser would take one.
    let (state, _) = rig.state(11, asked(11, ARGUMENTS, "")).await;
    let twice = format!(
        r#","inputResponses":{{"toolbox-proxy-approval":{ACCEPT},"toolbox-proxy-approval":{ACCEPT}}},"requestState":"{state}""#
    );
    assert_eq!(rig.failed(12, asked(12, ARGUMENTS, &twice)).await["error_type"], "denied");
    for (id, capabilities) in [(13, "{}"), (14, r#"{"elicitation":{"url":{}}}"#), (15, "[]")] {
        assert_eq!(rig.failed(id, modern(id, ARGUMENTS, capabilities, "")).await["error_type"], "denied");
    }
}

#[tokio::test]
async fn the_questions_of_the_server_need_no_second_approval() {
    let mut rig = rig().await;
    let (state, _) = rig.state(1, asked(1, ARGUMENTS, "")).await;
    rig.client.send(asked(2, ARGUMENTS, &with(&state, ACCEPT))).await;
    rig.server.message().await;
    for (id, theirs, expected) in [
        (2, r#","requestState":"a \"state\" of: the server""#, Some("a \"state\" of: the server")),
        (3, "", None),
        (4, r#","requestState":"""#, Some("")),
    ] {
        let question = r#"{"q":{"method":"elicitation/create","params":{"message":"Which one?"}}}"#;
        rig.server.send(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"input_required","inputRequests":{question}{theirs}}}}}"#)).await;
        let answer = rig.client.message().await;
        assert_eq!(answer["result"]["inputRequests"]["q"]["params"]["message"], "Which one?");
        let state = &answer["result"]["requestState"];
        let answers = r#"{"q":{"action":"accept","content":{"one":1}}}"#;
        rig.client
            .send(asked(id + 1, ARGUMENTS, &format!(r#","inputResponses":{answers},"requestState":{state}"#)))
            .await;
        let forwarded = rig.server.message().await;
        let params = &forwarded["params"];
        assert_eq!(params.get("requestState").map(|state| state.as_str().unwrap()), expected, "{forwarded}");
        assert_eq!(params["inputResponses"]["q"]["content"]["one"], 1);
    }
    rig.reaches_client(r#"{"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","content":[]}}"#).await;
    // The state of the server alone is no approval.
    let line = asked(6, ARGUMENTS, r#","inputResponses":{},"requestState":"a state of the server""#);
    rig.state(6, line).await;
}

#[tokio::test]
async fn questions_about_other_calls_are_not_changed() {
    let proxy = |proxy: ProxyBuilder| proxy.require_approval(Approval::new().tools(["send_*"]));
    let mut rig = Rig::with(proxy);
    rig.list(&[search()]).await;
    rig.reaches_server(&asked(1, ARGUMENTS, "")).await;
    rig.reaches_client(r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"theirs"}}"#)
        .await;
    rig.reaches_server(&asked(2, ARGUMENTS, r#","inputResponses":{},"requestState":"theirs""#)).await;
}
