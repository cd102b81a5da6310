//! The rules of the host: which tools are visible, how long results and calls may be, and what is recorded.

use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_proxy::{Access, Approval, ProxyBuilder, ToolOptions};
use tool_runtime::throttle::LimitOverrides;

use super::rig::{Recording, Rig, call, named, search, text};

fn reader(name: &str) -> Value {
    let mut tool = named(name);
    tool["annotations"] = json!({"readOnlyHint": true});
    tool
}

#[tokio::test]
async fn hidden_tools_are_neither_listed_nor_called() {
    let mut rig =
        Rig::with(|proxy| proxy.no_throttle().access(Access::new().allow(["read_*", "delete"]).deny(["*_secret"])));
    rig.reaches_server(r#"{"id":"list","method":"tools/list"}"#).await;
    let [file, secret, delete, write] = ["read_file", "read_secret", "delete", "write"].map(named);
    rig.server.send(format!(r#"{{ "result": {{"x":1.0,"tools" : [ {file}, {secret} ,{delete},{write} ],"nextCursor":null}}, "id":"list"}}"#)).await;
    let expected = format!(r#"{{ "result": {{"x":1.0,"tools" : [{file},{delete}],"nextCursor":null}}, "id":"list"}}"#);
    assert_eq!(rig.client.line().await, expected);
    rig.reaches_server(&call(1, "read_file", r#"{"query":"a"}"#)).await;
    for (id, name) in [(2, "read_secret"), (3, "write"), (4, "Read_Secret"), (5, "readsecret"), (6, "other")] {
        let rejected = rig.rejected(id, name, r#"{"query":"a"}"#).await;
        let failure: Value = serde_json::from_str(&rejected).expect(&rejected);
        assert_eq!(failure["error_type"], "unknown_tool", "{rejected}");
        assert!(!failure["did_you_mean"].to_string().contains("secret"), "{rejected}");
    }
    // An unlisted tool that is allowed by name is the server's business.
    rig.reaches_server(&call(7, "read_", "{}")).await;
    let report = rig.report();
    assert_eq!((report.tools["read_secret"].rejected, report.tools["(other names)"].rejected), (1, 3));
}

#[tokio::test]
async fn access_is_asked_about_the_tool_that_a_name_means() {
    let mut rig = Rig::with(|proxy| {
        proxy.no_throttle().access(Access::new().allow(["search", "wipe*", "functions.*", "*:*"]).deny(["wipe*"]))
    });
    rig.reaches_server(r#"{"id":"list","method":"tools/list"}"#).await;
    let tools = json!([search(), named("wipe"), named("other")]);
    rig.server.send(json!({"id": "list", "result": {"tools": tools}}).to_string()).await;
    assert_eq!(rig.client.message().await["result"]["tools"].as_array().map(Vec::len), Some(1));
    for (id, name) in [(1, "functions.search"), (2, "default_api.search"), (3, "search:0"), (4, "functions.Search:7")] {
        rig.client.send(call(id, name, r#"{"query":"a"}"#)).await;
        assert_eq!(rig.server.line().await, call(id, "search", r#"{"query":"a"}"#));
    }
    let denied =
        ["wipe", "functions.wipe", "default_api.Wipe", "wipe:0", "WIPE", "x.wipe", "wipe()", "wipe<|channel|>x"];
    // The server does not list these, but may have them.
    let unlisted = ["functions.wipe_all", "wipe_all:0", "functions.other", "functions.else"];
    for (id, name) in (10..).zip(denied.into_iter().chain(unlisted)) {
        let rejected = rig.rejected(id, name, r#"{"query":"a"}"#).await;
        assert!(rejected.contains("unknown_tool"), "{name}: {rejected}");
    }
    for (id, name) in [(30, "search_123"), (31, "searchsearch"), (32, "search<arg_key>query</arg_key>")] {
        assert!(rig.rejected(id, name, r#"{"query":"a"}"#).await.contains(r#""did_you_mean":["search"]"#));
    }
}

#[tokio::test]
async fn a_page_without_hidden_tools_is_not_changed() {
    let mut rig = Rig::with(|proxy| proxy.access(Access::new().deny(["delete"])));
    rig.list(&[search()]).await;
    rig.reaches_server(r#"{"id":1,"method":"tools/list"}"#).await;
    rig.reaches_client(r#"{"id":1,"error":{"code":1,"message":""}}"#).await;
    rig.reaches_server(r#"{"id":1,"method":"tools/list"}"#).await;
    rig.server.send(r#"{"id":1,"result":{"tools":{}}}"#).await;
    assert_eq!(rig.client.message().await["error"]["message"], "The server's list of tools is not valid.");
}

#[tokio::test]
async fn read_only_mode_needs_the_annotation() {
    let mut rig = Rig::with(|proxy| proxy.access(Access::new().read_only(true)));
    let mut writer = named("write");
    writer["annotations"] = json!({"readOnlyHint": false});
    // The second definition of a name could be the one that the server uses.
    rig.reaches_server(r#"{"id":"list","method":"tools/list"}"#).await;
    let tools = json!([reader("search"), named("plain"), writer, reader("twice"), named("twice")]);
    rig.server.send(json!({"id": "list", "result": {"tools": tools}}).to_string()).await;
    let list = rig.client.message().await;
    let names: Vec<&str> =
        list["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["search", "twice"]);
    rig.reaches_server(&call(1, "search", r#"{"query":"a"}"#)).await;
    for (id, name) in [(2, "plain"), (3, "write"), (4, "twice"), (5, "hidden")] {
        rig.rejected(id, name, r#"{"query":"a"}"#).await;
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_list_only_tools_that_are_allowed_by_name_are_called() {
    let mut rig = Rig::with(|proxy| proxy.access(Access::new().allow(["search"])));
    rig.client.send(call(1, "other", "{}")).await;
    rig.client.send(call(2, "search", "{}")).await;
    assert_eq!(rig.server.message().await["method"], "tools/list");
    assert!(rig.client.line().await.contains("other was not called. The server has not listed it"));
    assert_eq!(rig.server.line().await, call(2, "search", "{}"));
}

#[tokio::test]
async fn long_results_are_cut_with_a_notice() {
    let short = ToolOptions::new().result_bytes(300);
    let mut rig = Rig::with(|proxy| proxy.result_bytes(1_000).tool("short", short));
    rig.list(&[search(), named("short")]).await;
    let long = format!("{}\n\"ä\"", "0123456789".repeat(200));
    for (id, tool, limit) in [(1, "search", 1_000), (2, "short", 300)] {
        rig.reaches_server(&call(id, tool, r#"{"query":"a"}"#)).await;
        let quoted = Value::from(long.as_str());
        let line = |first: &str, rest: &str| {
            format!(
                r#"{{"id":{id}, "result":{{"content":[{{"type":"text","x":1.0,"text":{first}}},{{"type":"image","data":"AA==","mimeType":"image/png"}}{rest}],"_meta":{{"a" :1}}}}}}"#
            )
        };
        let others = format!(
            r#",{{"type":"text","text":{quoted}}},{{"type":"resource","resource":{{"uri":"a:b","text":"cd"}}}}"#
        );
        rig.server.send(line(&quoted.to_string(), &others)).await;
        let got = rig.client.line().await;
        let answer: Value = serde_json::from_str(&got).unwrap();
        let cut = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(cut.len() <= limit && cut.len() > limit - 50, "{cut}");
        assert!(
            cut.starts_with("0123456789") && cut.ends_with("\n\"ä\"") && cut.contains("bytes are left out here"),
            "{cut}"
        );
        let notice = format!(
            r#",{{"type":"text","text":"[… 2 more texts with {} bytes are left out here. …]"}}"#,
            long.len() + 2
        );
        assert_eq!(got, line(&Value::from(cut).to_string(), &notice), "nothing else changes");
        let report = rig.report();
        assert_eq!(report.tools[tool].bytes_cut, (2 * long.len() + 2 - cut.len()) as u64);
    }
    rig.reaches_server(&call(3, "search", r#"{"query":"b"}"#)).await;
    rig.reaches_client(&text(3, &long[..1_000])).await;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn results_are_never_longer_than_allowed_and_short_ones_do_not_change(
        texts in prop::collection::vec(("[a-zä\"\n\u{1F600}]{0,40}", 1..30_usize), 0..5),
        limit in 256..2_000_usize,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut rig = Rig::with(|proxy| proxy.result_bytes(limit));
            rig.list(&[search()]).await;
            rig.reaches_server(&call(1, "search", r#"{"query":"a"}"#)).await;
            let texts: Vec<String> = texts.into_iter().map(|(text, count)| text.repeat(count)).collect();
            let parts: Vec<Value> = texts.iter().map(|text| json!({"type": "text", "text": text})).collect();
            let line = json!({"id": 1, "result": {"content": parts}}).to_string();
            rig.server.send(&line).await;
            let got = rig.client.line().await;
            let length: usize = texts.iter().map(String::len).sum();
            if length <= limit {
                prop_assert_eq!(got, line);
                return Ok(());
            }
            let answer: Value = serde_json::from_str(&got).unwrap();
            let parts = answer["result"]["content"].as_array().unwrap();
            let kept: usize = parts.iter().map(|part| part["text"].as_str().unwrap().len()).sum();
            let notice = "[… 5 more texts with 12345 bytes are left out here. …]".len();
            prop_assert!(kept <= limit + notice, "{} of {}", kept, limit);
            prop_assert!(got.contains("left out here"));
            prop_assert!(rig.report().tools["search"].bytes_cut > 0);
            Ok(())
        })?;
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_takes_too_long_is_answered_and_cancelled() {
    let slow = ToolOptions::new().time_limit(Duration::from_secs(15));
    let mut rig = Rig::with(|proxy| proxy.time_limit(Duration::from_secs(5)).tool("slow", slow));
    rig.list(&[search(), named("slow")]).await;
    let begun = tokio::time::Instant::now();
    rig.reaches_server(&call(1, "slow", r#"{"query":"a"}"#)).await;
    rig.reaches_server(&call(2, "search", r#"{"query":"a"}"#)).await;
    rig.reaches_server(&call(3, "search", r#"{"query":"b"}"#)).await;
    rig.reaches_client(&text(3, "b")).await;
    let cancelled = rig.server.message().await;
    assert_eq!((begun.elapsed(), &cancelled["params"]["requestId"]), (Duration::from_secs(5), &json!(2)));
    assert_eq!(cancelled["method"], "notifications/cancelled");
    let answer = rig.client.message().await;
    let text_of = answer["result"]["content"][0]["text"].as_str().unwrap();
    let failure: Value = serde_json::from_str(text_of).unwrap();
    assert_eq!((&answer["id"], &failure["error_type"]), (&json!(2), &json!("timeout")));
    // The late answer is dropped, and its id can be used again after it.
    rig.server.send(text(2, "late")).await;
    rig.client_got_nothing().await;
    rig.reaches_server(&call(2, "search", r#"{"query":"c"}"#)).await;
    rig.reaches_client(&text(2, "c")).await;
    assert_eq!(rig.server.message().await["params"]["requestId"], 1);
    assert_eq!(begun.elapsed(), Duration::from_secs(15));
    let report = rig.report();
    assert_eq!((report.stray_answers, report.tools["search"].failed, report.tools["slow"].failed), (0, 1, 1));
}

#[tokio::test(start_paused = true)]
async fn the_time_of_a_call_begins_when_the_server_gets_it() {
    let mut rig = Rig::with(|proxy| proxy.time_limit(Duration::from_secs(5)));
    rig.client.send(call(1, "search", r#"{"query":"a"}"#)).await;
    let request = rig.server.message().await;
    tokio::time::sleep(Duration::from_secs(9)).await;
    rig.server.send(json!({"id": request["id"], "result": {"tools": [search()]}}).to_string()).await;
    rig.server.line().await;
    let begun = tokio::time::Instant::now();
    assert_eq!(rig.server.message().await["method"], "notifications/cancelled");
    assert_eq!(begun.elapsed(), Duration::from_secs(5));
    assert!(rig.client.line().await.contains("timeout"));
}

#[tokio::test]
async fn a_tool_can_have_its_own_throttle() {
    let polled = ToolOptions::new().throttle(LimitOverrides::NONE.unlimited());
    let mut rig = Rig::with(|proxy| proxy.tool("poll", polled));
    rig.list(&[search(), named("poll")]).await;
    for id in 1..=6 {
        rig.reaches_server(&call(id, "poll", r#"{"query":"a"}"#)).await;
        rig.reaches_client(&text(id, "none")).await;
    }
}

#[tokio::test]
async fn calls_are_recorded_without_redacted_values() {
    let recording = Recording::default();
    let mut rig = Rig::with(|proxy| proxy.redact(["token"]).record_with(recording.writer()).record_results(100));
    let schema = json!({"type": "object", "properties": {"token": {"type": "string"}, "n": {"type": "integer"}}});
    let tool = json!({"name": "act", "inputSchema": schema});
    rig.list(std::slice::from_ref(&tool)).await;
    let secrets = [
        r#"{"token": "s3cret", "n": 1}"#,
        r#"{"n": "2", "x": [{"Token": {"a": "s3cret"}}]}"#,
        r#"{"tokn": "s3cret", "n": {}}"#,
        r#""{\"token\": \"s3cret\"}""#,
        r#""{'token': 's3cret'}""#,
        r#"["s3cret"]"#,
        r#"{"n": 3, "more": "{\"token\": \"s3cret\"}"}"#,
    ];
    for (id, arguments) in (1..).zip(secrets) {
        rig.client.send(call(id, "act", arguments)).await;
    }
    rig.client.send(r#"{"id":"x","method":"tools/call","params":{"name":"Other"}}"#).await;
    rig.client.send(r#"{"id":"y","method":"ping"}"#).await;
    while !rig.server.line().await.contains("ping") {}
    for id in 1..=7 {
        rig.server.send(text(id, "s3cret")).await;
    }
    rig.server.send(r#"{"id":"x","result":{"content":[{"type":"text","text":"the token is s3cret"}]}}"#).await;
    rig.server.send(r#"{"id":"y","result":{}}"#).await;
    while !rig.client.line().await.contains(r#""id":"y""#) {}
    let lines = recording.lines();
    assert!(lines.iter().all(|line| !line.to_string().contains("s3cret")), "{lines:?}");
    assert_eq!(lines[0], json!({"recording": 1, "tools": [tool]}));
    let call = |id: u64| lines.iter().find(|line| line["id"] == id).unwrap_or_else(|| panic!("{id}: {lines:?}"));
    assert_eq!(
        *call(1),
        json!({"id": 1, "tool": "act", "arguments": {"token": "[redacted]", "n": 1}, "redacted": true, "verdict": "ok",
            "result": "result", "answer": "[redacted]"})
    );
    assert_eq!(
        *call(2),
        json!({"id": 2, "tool": "act", "arguments": {"n": "2", "x": [{"Token": "[redacted]"}]}, "redacted": true,
            "verdict": "repaired", "repairs": [{"rule": "text"}], "result": "result", "answer": "[redacted]"})
    );
    assert_eq!(
        *call(3),
        json!({"id": 3, "tool": "act", "arguments": {"tokn": "[redacted]", "n": {}}, "redacted": true,
            "verdict": "rejected", "issues": [{"code": "INVALID_TYPE"}], "answer": "[redacted]"})
    );
    assert_eq!(call(4)["arguments"], r#"{"token": "[redacted]"}"#);
    let other = json!({"id": "x", "tool": "Other", "verdict": "unchecked", "result": "result", "answer": "[redacted]"});
    assert_eq!(*lines.last().unwrap(), other);
    assert_eq!(lines.len(), 9);
}

/// A call has one line, and the counts of the report have one call.
#[tokio::test]
async fn a_recording_says_what_became_of_each_call() {
    let recording = Recording::default();
    let mut rig = Rig::with(|proxy| {
        let proxy =
            proxy.no_throttle().require_approval(Approval::new().tools(["delete"])).record_with(recording.writer());
        proxy.record_results(20).time_limit(Duration::from_secs(60))
    });
    rig.initialize(r#"{"elicitation":{}}"#).await;
    rig.list(&[search(), named("delete")]).await;
    let id = rig.forwarded(1, "search", r#"{"query":"a"}"#).await;
    assert!(id.contains("\"id\":1"));
    rig.server.send(text(1, &"long ".repeat(20))).await;
    rig.client.line().await;
    rig.rejected(2, "search", "{}").await;
    rig.forwarded(3, "search", r#"{"query":"a","limit":"2"}"#).await;
    rig.server.send(r#"{"id":3,"result":{"content":[{"type":"text","text":"no"}],"isError":true}}"#).await;
    rig.client.line().await;
    rig.client.send(call(4, "delete", r#"{"query":"a"}"#)).await;
    let question = rig.client.message().await;
    rig.client.send(json!({"id": question["id"], "result": {"action": "decline"}}).to_string()).await;
    rig.client.line().await;
    rig.client.send(call(5, "delete", r#"{"query":"a"}"#)).await;
    let question = rig.client.message().await;
    rig.client.send(json!({"id": question["id"], "result": {"action": "accept"}}).to_string()).await;
    rig.server.line().await;
    rig.client.send(r#"{"method":"notifications/cancelled","params":{"requestId":5}}"#).await;
    rig.server.line().await;
    let kinds: Vec<Value> = recording.lines()[1..]
        .iter()
        .map(|line| json!([line["id"], line["verdict"], line["approval"], line["result"]]))
        .collect();
    assert_eq!(
        json!(kinds),
        json!([
            [1, "ok", null, "result"],
            [2, "rejected", null, null],
            [3, "repaired", null, "failure"],
            [4, "ok", "denied", null],
            [5, "ok", "accepted", "cancelled"],
        ])
    );
    let lines = recording.lines();
    assert!(lines[1]["answer"].as_str().unwrap().starts_with("long long"), "{}", lines[1]);
    assert!(lines[1]["answer"].as_str().unwrap().len() < 30, "{}", lines[1]);
    let repaired = json!([{"rule": "text", "path": "limit", "before": "\"2\"", "after": "2"}]);
    assert_eq!((&lines[3]["repairs"], &lines[3]["answer"]), (&repaired, &json!("no")));
    assert_eq!(lines[2]["issues"], json!([{"code": "REQUIRED_FIELD", "path": "query"}]));
    assert_eq!(rig.report().tools["delete"].calls, 2);
}

/// Texts with a secret, as a model may write them in place of an object, in a text or in a list.
const SPELLINGS: [&str; 20] = [
    r#""{'token': 's3cret', 'level': 3}""#,
    r#""{\"token\": \"s3cret\",}""#,
    r#""{token: s3cret}""#,
    r#""```json\n{\"token\": \"s3cret\"}\n```""#,
    r#""\"{\\\"token\\\": \\\"s3cret\\\"}\"""#,
    r#""{\"\\u0074oken\": \"s3cret\"}""#,
    r#""{\"token\": \"s3cret\" /* mine */}""#,
    r#""{\"token\": \"s3cre""#,
    r#""[{\"token\": \"s3cret\"}]""#,
    r#""['s3cret', 3]""#,
    r#""s3cret""#,
    r#""token=s3cret""#,
    r#""Here you are: token is s3cret""#,
    r#"["s3cret", 3]"#,
    r#"["{'token': 's3cret'}"]"#,
    r#"["token", "s3cret"]"#,
    r#"[["token", "s3cret"]]"#,
    r#"[{"key": "token", "value": "s3cret"}]"#,
    r#"{"token: s3cret": 3}"#,
    r#"{"pwd": "s3cret"}"#,
];

/// Returns calls with a spelling in place of the object, also in a call that is repaired and under an unknown key, and in a text field.
fn spelled(spelling: &str) -> Vec<String> {
    let mut arguments = vec![
        format!(r#"{{"auth":{spelling}}}"#),
        format!(r#"{{"auth":{spelling},"n":"3"}}"#),
        format!(r#"{{"x":{{"auth":{spelling}}}}}"#),
    ];
    // A text without the name in a text field says nothing about a secret.
    if spelling.contains("oken") {
        arguments.push(json!({"note": spelling}).to_string());
    }
    arguments
}

/// Neither the recording nor the log nor the question to the user contains a redacted value, whatever its spelling, and whatever becomes of
/// the call.
#[tokio::test]
async fn no_spelling_of_a_redacted_value_is_recorded_logged_or_shown() {
    let auth = json!({"type": "object", "properties": {"token": {"type": "string"}, "level": {"type": "integer"}}});
    let schema =
        json!({"type": "object", "properties": {"auth": auth, "note": {"type": "string"}, "n": {"type": "integer"}}});
    let mut seen = Vec::new();
    for is_dry in [false, true] {
        let recording = Recording::default();
        let mut rig = Rig::with(|proxy| {
            let proxy =
                proxy.redact(["token"]).no_throttle().require_approval(Approval::new().tools(["act"])).dry_run(is_dry);
            proxy.record_with(recording.writer()).record_results(1_000)
        });
        rig.initialize(r#"{"elicitation":{}}"#).await;
        rig.list(&[json!({"name": "act", "inputSchema": schema})]).await;
        let mut calls = 0;
        for arguments in SPELLINGS.into_iter().flat_map(spelled) {
            for name in ["act", "act(token=s3cret)"] {
                calls += 1;
                rig.client.send(call(calls, name, &arguments)).await;
                if is_dry {
                    rig.server.line().await;
                } else {
                    let line = rig.client.line().await;
                    seen.extend(line.contains("elicitation/create").then_some(line));
                }
            }
        }
        seen.extend(rig.remarks());
        // The calls that are still open are recorded at the end.
        rig.server.close();
        rig.task.await.unwrap();
        let lines = recording.lines();
        assert_eq!(lines[1..].len() as u64, calls);
        seen.extend(lines.iter().map(Value::to_string));
    }
    for kind in ["would repair call", "May act run with", r#""verdict":"rejected""#, r#""verdict":"ok""#] {
        assert!(seen.iter().any(|line| line.contains(kind)), "{kind}");
    }
    let leaks: Vec<_> = seen.iter().filter(|line| line.contains("s3cre")).collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_changes_nothing_and_says_what_it_would_do() {
    let access = Access::new().deny(["delete"]);
    let mut rig =
        Rig::with(|proxy| proxy.dry_run(true).access(access).result_bytes(300).time_limit(Duration::from_secs(5)));
    rig.list(&[search(), named("delete")]).await;
    rig.reaches_server(&call(1, "search", r#"{"query":"a","limit":"3"}"#)).await;
    rig.reaches_client(&text(1, &"x".repeat(1_000))).await;
    rig.reaches_server(&call(2, "Search", r#"{"limit":"many"}"#)).await;
    rig.reaches_client(&text(2, "b")).await;
    rig.reaches_server(&call(3, "delete", "{}")).await;
    rig.reaches_client(r#"{"id":3,"error":{"code":-32602,"message":"no"}}"#).await;
    for id in 4..8 {
        rig.reaches_server(&call(id, "search", r#"{"query":"a"}"#)).await;
        rig.reaches_client(&text(id, "none")).await;
    }
    rig.reaches_server(&call(8, "search", r#"{"query":"b"}"#)).await;
    tokio::time::sleep(Duration::from_secs(6)).await;
    rig.server_got_nothing().await;
    rig.reaches_client(&text(8, "late")).await;
    let remarks = rig.remarks();
    let expected = [
        "would hide delete",
        r#"would repair call 1 of search to search {"query":"a","limit":3}"#,
        "would cut the result of call 1 of search by ",
        "would reject call 2 of Search: search was not run: ",
        "would reject call 3 of delete: ",
        "would add to the result of call 5 of search: ",
        "would reject call 7 of search: {\"error_type\":\"throttled\"",
        "would end call 8 because of its time limit",
    ];
    assert_eq!(remarks.len(), expected.len(), "{remarks:#?}");
    for (remark, expected) in remarks.iter().zip(expected) {
        assert!(remark.starts_with(expected), "{remark}");
    }
    let search = &rig.report().tools["search"];
    assert_eq!((search.repaired, search.rejected, search.throttled), (1, 1, 1));
}

#[tokio::test]
async fn a_dry_run_shows_no_arguments_if_some_are_redacted() {
    let mut rig = Rig::with(|proxy| proxy.dry_run(true).redact(["query"]));
    rig.list(&[search()]).await;
    for (id, arguments) in [(1, r#"{"query":"s3cret","limit":"3"}"#), (2, r#"{"query":"s3cret","limit":"s3cret"}"#)] {
        rig.reaches_server(&call(id, "search", arguments)).await;
    }
    let remarks = rig.remarks();
    assert_eq!(remarks[0], r#"would repair call 1 of search to search {"query":"[redacted]","limit":3}"#);
    assert_eq!(remarks[1..], ["would reject call 2 of search"]);
}

fn misnamed(proxy: ProxyBuilder) -> ProxyBuilder {
    let polling = ToolOptions::new().time_limit(Duration::from_secs(1));
    proxy
        .access(Access::new().allow(["*", "read_*"]).deny(["wipeall"]))
        .require_approval(Approval::new().tools(["wipe"]))
        .tool("Search", polling.clone())
        .tool("search", polling)
}

#[tokio::test]
async fn names_in_the_settings_that_no_tool_has_are_reported_once() {
    let mut rig = Rig::with(misnamed);
    for _ in 0..2 {
        rig.list(&[search(), named("wipe_all")]).await;
    }
    assert_eq!(
        rig.remarks(),
        [
            "allow: no tool has the name read_*",
            "deny: no tool has the name wipeall; did you mean wipe_all?",
            "approve: no tool has the name wipe; did you mean wipe_all?",
            "tools: no tool has the name Search; did you mean search?",
        ]
    );
    rig.reaches_server(&call(1, "search", r#"{"query":"a"}"#)).await;
}

#[tokio::test]
async fn names_that_no_tool_has_are_an_error_on_request() {
    let mut rig = Rig::with(|proxy| misnamed(proxy).require_known_names(true));
    rig.client.send(call(1, "search", r#"{"query":"a"}"#)).await;
    rig.answer_list(&[search(), named("wipe_all")]).await;
    let error = rig.client.message().await["error"]["message"].to_string();
    assert!(error.contains("approve: no tool has the name wipe; did you mean wipe_all?"), "{error}");
    rig.reaches_server(r#"{"id":2,"method":"tools/list"}"#).await;
    rig.server.send(json!({"id": 2, "result": {"tools": [search(), named("wipe_all")]}}).to_string()).await;
    assert_eq!(rig.client.message().await["error"]["message"].to_string(), error);
    rig.server_got_nothing().await;
    // Settings that fit are no error.
    let mut rig = Rig::with(|proxy| proxy.require_known_names(true).require_approval(Approval::new().tools(["se*h"])));
    rig.list(&[search()]).await;
    assert!(rig.remarks().is_empty());
}
