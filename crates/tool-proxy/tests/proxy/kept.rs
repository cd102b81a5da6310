//! Long results that the proxy keeps, and the tool with which the model reads on.

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_proxy::{Access, ProxyBuilder};

use super::rig::{Rig, call, named, search, text};

fn keeping(proxy: ProxyBuilder) -> ProxyBuilder {
    proxy.result_bytes(1_024).keep_results(100_000).no_throttle()
}

impl Rig {
    /// Lets the client list the tools, and returns the names that it gets.
    async fn listed(&mut self, tools: &[Value]) -> Vec<String> {
        self.reaches_server(r#"{"jsonrpc":"2.0","id":"list","method":"tools/list"}"#).await;
        self.server.send(json!({"jsonrpc": "2.0", "id": "list", "result": {"tools": tools}}).to_string()).await;
        let page = self.client.message().await;
        let tools = page["result"]["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    /// Makes a call that the server answers with this line, and returns the line that the client gets.
    async fn answered(&mut self, id: u64, answer: &str) -> String {
        self.reaches_server(&call(id, "search", r#"{"query":"a"}"#)).await;
        self.server.send(answer).await;
        self.client.line().await
    }

    /// Makes a call of a tool of the proxy, which the server does not see, and returns its text.
    async fn read(&mut self, id: u64, arguments: &str) -> Value {
        self.client.send(call(id, "read_result", arguments)).await;
        let answer = self.client.message().await;
        assert_eq!(answer["id"], id);
        self.server_got_nothing().await;
        answer["result"].clone()
    }

    /// Reads a kept result on from an offset to its end.
    async fn rest(&mut self, handle: &str, mut offset: usize) -> String {
        let mut rest = String::new();
        loop {
            let page = self.read(1_000, &json!({"handle": handle, "offset": offset}).to_string()).await;
            assert_eq!(page["isError"], false, "{page}");
            let page = page["content"][0]["text"].as_str().unwrap();
            let (part, notice) = page.rsplit_once("\n[… Bytes ").unwrap();
            rest.push_str(part);
            match notice.split_once("\"offset\":") {
                Some((_, next)) => offset = next.split_once('}').unwrap().0.parse().unwrap(),
                None => return rest,
            }
        }
    }
}

/// Splits the shown beginning of a text from its handle and the number of its bytes.
fn beginning(shown: &str) -> (&str, &str) {
    let (beginning, notice) = shown.rsplit_once("\n[… Bytes 0 to ").unwrap_or_else(|| panic!("{shown}"));
    let (_, handle) = notice.split_once("{\"handle\":\"").unwrap();
    (beginning, handle.split_once('"').unwrap().0)
}

#[tokio::test]
async fn the_model_reads_on_in_a_long_result() {
    let mut rig = Rig::with(keeping);
    rig.reaches_server(r#"{"id":"list","method":"tools/list"}"#).await;
    rig.server.send(format!(r#"{{"id":"list", "result":{{"tools":[{}],"x":1.0}}}}"#, search())).await;
    let list = rig.client.line().await;
    let expected = format!(r#"{{"id":"list", "result":{{"tools":[{},{{"name":"read_result","#, search());
    assert!(list.starts_with(&expected) && list.ends_with(r#"],"x":1.0}}"#), "{list}");

    let long = "0123456789ä\n".repeat(2_000);
    let structured = json!({"lines": long});
    let line = |first: &str| {
        format!(
            r#"{{"id":1, "result":{{"content":[{{"type":"text","x":1.0,"text":{first}}},{{"type":"image","data":"AA==","mimeType":"image/png"}}],"structuredContent":{structured},"_meta":{{"a" :1}}}}}}"#
        )
    };
    let got = rig.answered(1, &line(&Value::from(long.as_str()).to_string())).await;
    let answer: Value = serde_json::from_str(&got).unwrap();
    let shown = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert_eq!(got, line(&Value::from(shown).to_string()), "nothing else changes");
    assert!(shown.len() <= 1_024 && shown.len() > 1_000, "{shown}");
    let (start, handle) = beginning(shown);
    assert_eq!(handle, "result_1");
    let rest = rig.rest(handle, start.len()).await;
    assert_eq!(format!("{start}{rest}"), long);
    let report = rig.report();
    assert_eq!(report.tools["search"].bytes_cut, (long.len() - shown.len()) as u64);
    assert_eq!(report.tools["read_result"].rejected, 0);
    assert!(report.tools["read_result"].calls >= 3);
}

#[tokio::test]
async fn calls_of_the_reader_are_repaired_or_rejected_like_others() {
    let mut rig = Rig::with(keeping);
    rig.listed(&[search()]).await;
    let none = rig.read(2, r#"{"handle":"result_1"}"#).await;
    assert_eq!(none["isError"], true);
    assert!(none.to_string().contains("No result of this conversation was kept"), "{none}");
    rig.answered(1, &text(1, &"abc ".repeat(1_000))).await;
    let page = rig.read(3, r#"{"handle":"result_1","offset":"3990"}"#).await;
    assert!(page["content"][0]["text"].as_str().unwrap().starts_with("c abc abc \n[… Bytes 3990 to 4000"), "{page}");
    let rejected = rig.read(4, r#"{"handel":"result_1"}"#).await;
    assert!(rejected["isError"] == true && rejected.to_string().contains("read_result was not run"), "{rejected}");
    let line = call(5, "read_result", r#"{"handle":"result_1","search":"ABC"}"#);
    let modern = line.replace("\"progressToken\"", "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"x\"");
    rig.client.send(modern).await;
    let found = rig.client.message().await;
    assert_eq!(found["result"]["resultType"], "complete");
    assert!(found["result"].to_string().contains("occurs in result_1"), "{found}");
    assert_eq!(rig.report().tools["read_result"].rejected, 2);
}

#[tokio::test]
async fn only_the_last_page_of_the_list_has_the_reader() {
    let mut rig = Rig::with(|proxy| keeping(proxy).access(Access::new().allow(["search", "other"])));
    rig.reaches_server(r#"{"id":1,"method":"tools/list"}"#).await;
    rig.reaches_client(&json!({"id": 1, "result": {"tools": [search()], "nextCursor": "2"}}).to_string()).await;
    rig.reaches_server(r#"{"id":2,"method":"tools/list","params":{"cursor":"2"}}"#).await;
    let tools = [named("other"), named("hidden")];
    rig.server.send(json!({"id": 2, "result": {"tools": tools}}).to_string()).await;
    let page = rig.client.message().await;
    let names: Vec<&Value> = page["result"]["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["other", "read_result"], "the restrictions are about the tools of the server");
}

#[tokio::test]
async fn a_tool_of_the_server_with_the_same_name_is_not_replaced() {
    let mut rig = Rig::with(keeping);
    assert_eq!(rig.listed(&[search(), named("read_result")]).await, ["search", "read_result"]);
    let got = rig.answered(1, &text(1, &"a".repeat(2_000))).await;
    assert!(got.contains("bytes are left out here"), "{got}");
    rig.reaches_server(&call(2, "read_result", r#"{"query":"a"}"#)).await;
    assert_eq!(rig.remarks(), ["the server has a tool read_result, so long results are cut and not kept"]);
}

#[tokio::test]
async fn the_oldest_results_are_removed_first() {
    let mut rig = Rig::with(|proxy| keeping(proxy).keep_results(5_000));
    rig.listed(&[search()]).await;
    for id in [1, 2, 3] {
        let got = rig.answered(id, &text(id, &id.to_string().repeat(2_000))).await;
        assert!(got.contains(&format!("result_{id}")), "{got}");
    }
    let gone = rig.read(4, r#"{"handle":"result_1"}"#).await;
    assert!(gone.to_string().contains("result_1 is no longer kept"), "{gone}");
    assert_eq!(rig.rest("result_2", 0).await, "2".repeat(2_000));
    let got = rig.answered(5, &text(5, &"x".repeat(6_000))).await;
    assert!(got.contains("bytes are left out here"), "a text that is too long for the store is cut: {got}");
    assert_eq!(rig.rest("result_3", 0).await, "3".repeat(2_000));
}

#[tokio::test]
async fn kept_results_outlive_a_change_of_the_list() {
    let mut rig = Rig::with(keeping);
    rig.listed(&[search()]).await;
    rig.answered(1, &text(1, &"a".repeat(2_000))).await;
    for count in 1..20 {
        let others = (0..count).map(|other| named(&format!("other_{other}")));
        rig.listed(&others.chain([search()]).collect::<Vec<_>>()).await;
    }
    assert_eq!(rig.rest("result_1", 0).await, "a".repeat(2_000));
}

#[tokio::test]
async fn a_dry_run_keeps_nothing() {
    let mut rig = Rig::with(|proxy| keeping(proxy).dry_run(true));
    rig.list(&[search()]).await;
    let line = text(1, &"a".repeat(2_000));
    assert_eq!(rig.answered(1, &line).await, line);
    let remarks = rig.remarks();
    assert!(
        remarks.iter().any(|remark| remark.starts_with("would cut the result of call 1 of search by ")
            && remark.ends_with(" bytes and keep it")),
        "{remarks:?}"
    );
    rig.client.send(call(2, "read_result", "{}")).await;
    assert_eq!(rig.server.line().await, call(2, "read_result", "{}"));
}

#[tokio::test]
async fn texts_of_resources_are_kept_with_their_names() {
    let mut rig = Rig::with(keeping);
    rig.listed(&[search()]).await;
    let parts = json!([
        {"type": "text", "text": "first"},
        {"type": "resource", "resource": {"uri": "file:///a", "text": "a".repeat(1_500)}},
        {"type": "text", "text": "b".repeat(50), "resource": 5},
        {"type": "resource", "resource": {"uri": "file:///c", "text": "ccc"}},
        {"type": "resource", "resource": {"uri": "file:///d", "blob": "AA=="}},
    ]);
    let got = rig.answered(1, &json!({"id": 1, "result": {"content": parts}}).to_string()).await;
    let answer: Value = serde_json::from_str(&got).unwrap();
    let content = answer["result"]["content"].as_array().unwrap();
    assert_eq!((content.len(), &content[0], &content[2]), (3, &parts[0], &parts[4]));
    assert_eq!(content[1]["resource"]["uri"], "file:///a");
    let (start, handle) = beginning(content[1]["resource"]["text"].as_str().unwrap());
    let rest = rig.rest(handle, start.len()).await;
    assert_eq!(format!("{start}{rest}"), format!("{}\n{}\n[file:///c]\nccc", "a".repeat(1_500), "b".repeat(50)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_part_of_a_result_is_lost(
        texts in prop::collection::vec(("[a-zä\"\n\u{1F600}]{0,40}", 1..80_usize), 1..5),
        limit in 256..3_000_usize,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut rig = Rig::with(|proxy| proxy.result_bytes(limit).keep_results(1_000_000).no_throttle());
            rig.listed(&[search()]).await;
            let texts: Vec<String> = texts.into_iter().map(|(text, count)| text.repeat(count)).collect();
            let parts: Vec<Value> = texts.iter().map(|text| json!({"type": "text", "text": text})).collect();
            let got = rig.answered(1, &json!({"id": 1, "result": {"content": parts}}).to_string()).await;
            let answer: Value = serde_json::from_str(&got).unwrap();
            let mut shown: Vec<String> = answer["result"]["content"]
                .as_array()
                .unwrap()
                .iter()
                .map(|part| part["text"].as_str().unwrap().to_owned())
                .collect();
            let length: usize = shown.iter().map(String::len).sum();
            prop_assert!(length <= limit.max(1_024) + 256, "{} of {}", length, limit);
            if let Some(last) = shown.last_mut().filter(|last| last.contains("[… Bytes 0 to ")) {
                let (start, handle) = beginning(last);
                let rest = rig.rest(handle, start.len()).await;
                *last = format!("{start}{rest}");
            }
            prop_assert_eq!(shown.join("\n"), texts.join("\n"));
            Ok(())
        })?;
    }
}
