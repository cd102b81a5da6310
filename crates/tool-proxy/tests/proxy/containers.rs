//! Tools in containers, which the client sees once the model has expanded them.

use std::time::Duration;

use serde_json::{Value, json};
use tool_proxy::{Access, Proxy, ProxyBuilder};

use super::rig::{Rig, call, named, search, text};

const CHANGED: &str = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
const MODERN: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;

fn grouped(proxy: ProxyBuilder) -> ProxyBuilder {
    proxy.container("files", "Reads and writes files.", ["files_*"]).no_throttle()
}

fn tools() -> [Value; 4] {
    [named("files_read"), search(), named("files_write"), named("other")]
}

impl Rig {
    /// Lets the client request the list, which the proxy requests from the server in pages, and returns the client's answer.
    async fn grouped_list(&mut self, params: &str, pages: &[&[Value]]) -> Value {
        self.client
            .send(format!(r#"{{"jsonrpc":"2.0","id":"list","method":"tools/list","params":{{{params}}}}}"#))
            .await;
        for (index, page) in pages.iter().enumerate() {
            let request = self.server.message().await;
            assert_eq!(request["method"], "tools/list", "{request}");
            let cursor = (index > 0).then(|| index.to_string());
            assert_eq!(request["params"]["cursor"], json!(cursor));
            let mut result = json!({"tools": page});
            if !params.is_empty() {
                result["resultType"] = "complete".into();
            }
            if index + 1 < pages.len() {
                result["nextCursor"] = (index + 1).to_string().into();
            }
            self.server.send(json!({"jsonrpc": "2.0", "id": request["id"], "result": result}).to_string()).await;
        }
        let list = self.client.message().await;
        assert_eq!(list["id"], "list", "{list}");
        list["result"].clone()
    }

    /// Makes a call that the proxy answers itself, and returns its result.
    async fn own(&mut self, id: u64, name: &str, arguments: &str) -> Value {
        self.client.send(call(id, name, arguments)).await;
        let answer = self.client.message().await;
        assert_eq!(answer["id"], id, "{answer}");
        self.server_got_nothing().await;
        answer["result"].clone()
    }
}

fn names(list: &Value) -> Vec<&str> {
    list["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

fn modern(line: &str) -> String {
    line.replace(r#""_meta":{"progressToken":7}"#, MODERN)
}

#[tokio::test]
async fn a_container_is_expanded_and_the_next_list_has_its_members() {
    let mut rig = Rig::with(grouped);
    rig.reaches_server(r#"{"id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#).await;
    rig.server.send(r#"{"id":"i","result":{"capabilities":{"tools":{ }},"protocolVersion":"2025-06-18"}}"#).await;
    let expected =
        r#"{"id":"i","result":{"capabilities":{"tools":{"listChanged":true }},"protocolVersion":"2025-06-18"}}"#;
    assert_eq!(rig.client.line().await, expected);

    let tools = tools();
    let list = rig.grouped_list("", &[&tools[..1], &tools[1..3], &tools[3..]]).await;
    assert_eq!(names(&list), ["search", "other", "files"], "all pages are collected");
    assert_eq!(list["tools"][0], search());
    let description = &list["tools"][2]["description"];
    assert_eq!(description, "Reads and writes files. Contains 2 functions: files_read, files_write");

    rig.client.send(call(1, "files", "{}")).await;
    assert_eq!(rig.client.line().await, CHANGED);
    let expansion = rig.client.message().await;
    assert_eq!((&expansion["id"], &expansion["result"]["isError"]), (&json!(1), &json!(false)));
    let expansion: Value = serde_json::from_str(expansion["result"]["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(expansion["functions"], json!(["files_read", "files_write"]));
    rig.server_got_nothing().await;

    let list = rig.grouped_list("", &[&tools]).await;
    assert_eq!(names(&list), ["search", "other", "files", "files_read", "files_write"]);
    assert_eq!(list["tools"][3], tools[0], "definitions are those of the server");
    rig.reaches_server(&call(2, "files_read", r#"{"query":"a"}"#)).await;
    rig.reaches_client(&text(2, "done")).await;
    let again = rig.own(3, "files", "{}").await;
    assert_eq!(again["isError"], false, "a second expansion changes nothing");
    assert_eq!((rig.report().tools["files"].calls, rig.report().tools["files_read"].calls), (2, 1));
}

#[tokio::test]
async fn a_member_cannot_be_called_before_the_expansion() {
    let mut rig = Rig::with(grouped);
    let tools = tools();
    // The proxy requests the list for the call.
    rig.client.send(call(1, "files_read", r#"{"query":"a"}"#)).await;
    rig.answer_list(&tools).await;
    let rejected = rig.client.line().await;
    assert!(rejected.contains("container_not_expanded") && rejected.contains(r#""isError":true"#), "{rejected}");
    let wrong = rig.own(2, "files", r#"{"function":"files_read"}"#).await;
    assert!(wrong.to_string().contains("container_invocation_error"), "{wrong}");
    rig.client.send(call(3, "files", "{}")).await;
    assert_eq!(rig.client.line().await, CHANGED);
    rig.client.line().await;
    rig.reaches_server(&call(4, "files_read", r#"{"query":"a"}"#)).await;
}

#[tokio::test]
async fn in_revision_2026_07_28_the_list_is_fixed_and_members_are_always_callable() {
    let mut rig = Rig::with(grouped);
    let tools = tools();
    let list = rig.grouped_list(MODERN, &[&tools]).await;
    assert_eq!(names(&list), ["search", "other", "files", "call_tool"]);
    assert_eq!(
        (&list["resultType"], &list["cacheScope"], &list["ttlMs"]),
        (&json!("complete"), &json!("private"), &json!(0))
    );
    rig.reaches_server(&modern(&call(1, "files_write", r#"{"query":"a"}"#))).await;
    rig.client.send(modern(&call(2, "files", "{}"))).await;
    let expansion = rig.client.message().await;
    assert_eq!((&expansion["id"], &expansion["result"]["resultType"]), (&json!(2), &json!("complete")));
    assert!(expansion.to_string().contains("call_tool"), "{expansion}");
    let through = r#"{"tool":"files_read","arguments":{"query":"b", "limit":"3"}}"#;
    for (id, arguments, expected) in [
        (3, through, r#"{"query":"b","limit":3}"#),
        (4, r#"{"tool":"files_read","arguments":{"query":"b"}}"#, r#"{"query":"b"}"#),
        (5, r#"{"tool":"search","arguments":"{\"query\":\"b\"}"}"#, r#"{"query":"b"}"#),
    ] {
        rig.client.send(modern(&call(id, "call_tool", arguments))).await;
        let line = rig.server.line().await;
        let name = if id == 5 { "search" } else { "files_read" };
        assert_eq!(line, modern(&call(id, name, expected)));
    }
    rig.client.send(modern(&call(6, "call_tool", r#"{"tool":"files_read","arguments":{}}"#))).await;
    assert!(rig.client.line().await.contains("query is required"));
    let list = rig.grouped_list(MODERN, &[&tools]).await;
    assert_eq!(names(&list), ["search", "other", "files", "call_tool"]);
}

#[tokio::test]
async fn hidden_and_unusable_tools_are_no_members() {
    let mut rig = Rig::with(|proxy| grouped(proxy).access(Access::new().deny(["files_write"])).keep_results(1_000_000));
    let bad = json!({"name": "files_bad", "inputSchema": {"type": "object", "properties": {"a": {"type": "int"}}}});
    let [read, search, write, _] = tools();
    let list = rig.grouped_list("", &[&[read, search, write, bad.clone()]]).await;
    assert_eq!(names(&list), ["files_bad", "search", "files", "read_result"]);
    assert_eq!(list["tools"][0], bad);
    assert!(list["tools"][2]["description"].as_str().unwrap().ends_with("Contains 1 function: files_read"), "{list}");
    rig.reaches_server(&call(1, "files_bad", r#"{"a":1}"#)).await;
    rig.rejected(2, "files_write", r#"{"query":"a"}"#).await;
}

#[tokio::test]
async fn names_that_providers_reject_stay_as_they_are() {
    let mut rig = Rig::with(|proxy| proxy.container("files", "Files.", ["files.*"]));
    let list = rig.grouped_list("", &[&[named("files.read")]]).await;
    assert_eq!(names(&list), ["files"]);
    assert!(!list.to_string().contains("files_read"), "{list}");
    rig.client.send(call(1, "files", "{}")).await;
    assert_eq!(rig.client.line().await, CHANGED);
    let expansion = rig.client.line().await;
    assert!(expansion.contains("files.read") && !expansion.contains("files_read"), "{expansion}");
    rig.reaches_server(&call(2, "files.read", r#"{"query":"a"}"#)).await;
}

#[tokio::test]
async fn a_tool_of_the_server_with_the_name_of_a_container_stays_visible() {
    let mut rig = Rig::with(grouped);
    let list = rig.grouped_list("", &[&[named("files"), named("files_read")]]).await;
    assert_eq!(names(&list), ["files", "files_read"]);
    assert_eq!(rig.remarks(), ["the server has a tool files, so there is no container with this name"]);
    rig.reaches_server(&call(1, "files", r#"{"query":"a"}"#)).await;
}

#[tokio::test]
async fn a_list_that_the_server_rejects_is_rejected_with_its_error() {
    let mut rig = Rig::with(grouped);
    for (answer, expected) in [
        (
            r#""error":{"code":-32601,"message":"Not here.","data":[1.0]}"#,
            json!({"code": -32601, "message": "Not here.", "data": [1.0]}),
        ),
        (r#""result":{}"#, json!({"code": -32603, "message": "The server's list of tools is not valid."})),
    ] {
        rig.client.send(r#"{"id":1,"method":"tools/list"}"#).await;
        let request = rig.server.message().await;
        rig.server.send(format!(r#"{{"jsonrpc":"2.0","id":{},{answer}}}"#, request["id"])).await;
        assert_eq!(rig.client.message().await["error"], expected);
    }
    rig.client.send(r#"{"id":2,"method":"tools/list","params":{"cursor":"x"}}"#).await;
    assert_eq!(rig.client.message().await["error"]["code"], -32_602);
    rig.server_got_nothing().await;
}

#[tokio::test]
async fn a_request_after_a_change_gets_the_list_after_the_change() {
    let mut rig = Rig::with(grouped);
    rig.client.send(r#"{"id":1,"method":"tools/list"}"#).await;
    let first = rig.server.message().await;
    rig.reaches_client(CHANGED).await;
    rig.client.send(r#"{"id":2,"method":"tools/list"}"#).await;
    rig.client.send(r#"{"id":3,"method":"tools/list"}"#).await;
    rig.client.send(r#"{"method":"notifications/cancelled","params":{"requestId":3}}"#).await;
    rig.server_got_nothing().await;
    rig.server.send(json!({"id": first["id"], "result": {"tools": [search()]}}).to_string()).await;
    let answer = rig.client.message().await;
    assert_eq!((&answer["id"], names(&answer["result"])), (&json!(1), vec!["search"]));
    rig.answer_list(&[named("files_read")]).await;
    let answer = rig.client.message().await;
    assert_eq!((&answer["id"], names(&answer["result"])), (&json!(2), vec!["files"]));
    rig.client_got_nothing().await;
}

#[tokio::test]
async fn only_a_few_requests_wait_for_the_list() {
    let mut rig = Rig::with(grouped);
    for id in 1..=17 {
        rig.client.send(format!(r#"{{"id":{id},"method":"tools/list"}}"#)).await;
    }
    assert_eq!(rig.client.message().await["error"]["code"], -32_603);
    rig.answer_list(&tools()).await;
    for id in 1..=16 {
        let answer = rig.client.message().await;
        assert_eq!((&answer["id"], names(&answer["result"]).len()), (&json!(id), 3));
    }
    rig.client_got_nothing().await;
    rig.server_got_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn a_request_for_a_list_that_never_comes_is_answered_within_the_time_limit() {
    let mut rig = Rig::with(|proxy| grouped(proxy).list_time_limit(Duration::from_secs(3)));
    let begun = tokio::time::Instant::now();
    let list = |id: u64| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#);
    rig.client.send(list(1)).await;
    let request = rig.server.message().await;
    let expected = json!({"code": -32_603, "message": "The server has not listed its tools within 3s."});
    assert_eq!(rig.client.message().await["error"], expected);
    assert_eq!(begun.elapsed(), Duration::from_secs(3));
    // The server is not asked again while it is late, and a later request has a limit of its own.
    rig.client.send(list(2)).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    rig.client.send(list(3)).await;
    rig.server_got_nothing().await;
    let answer = rig.client.message().await;
    assert_eq!((&answer["id"], &answer["error"]), (&json!(2), &expected));
    assert_eq!(begun.elapsed(), Duration::from_secs(6));
    rig.client.send(r#"{"method":"notifications/cancelled","params":{"requestId":3}}"#).await;
    rig.client.send(list(4)).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    rig.server.send(json!({"id": request["id"], "result": {"tools": tools()}}).to_string()).await;
    let answer = rig.client.message().await;
    assert_eq!((&answer["id"], names(&answer["result"])), (&json!(4), vec!["search", "other", "files"]));
    assert_eq!(rig.remarks().iter().filter(|remark| remark.contains("has not listed its tools")).count(), 1);
}

#[tokio::test]
async fn a_dry_run_says_which_tools_a_container_would_have() {
    let mut rig = Rig::with(|proxy| grouped(proxy).dry_run(true));
    rig.list(&tools()).await;
    assert_eq!(rig.remarks(), ["would put 2 tools into the container files"]);
    rig.reaches_server(&call(1, "files_read", r#"{"query":"a"}"#)).await;
    assert_eq!(rig.remarks().len(), 1);
}

#[test]
fn containers_need_different_valid_names() {
    let build =
        |one: &str, other: &str| Proxy::builder().container(one, "A.", ["a"]).container(other, "B.", ["b"]).build();
    assert!(build("one", "other").is_ok());
    for (other, problem) in
        [("one", "two containers are called `one`"), ("not valid", "`not valid` is not a valid name")]
    {
        let error = build("one", other).expect_err("the second name cannot be used").to_string();
        assert!(error.contains(problem), "{error}");
    }
}
