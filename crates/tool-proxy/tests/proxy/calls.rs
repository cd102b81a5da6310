//! Calls: those that pass, are repaired, or are answered by the proxy.

use std::time::Duration;

use serde_json::{Value, json};
use tool_runtime::RepairPolicy;
use tool_runtime::clock::SimulatedClock;

use super::rig::{Rig, call, named, search, text};

#[tokio::test]
async fn a_valid_call_and_its_result_are_not_changed() {
    let mut rig = Rig::new();
    rig.list(&[search()]).await;
    for (id, arguments) in [
        (1, r#"{ "query" : "a", "limit":3 }"#),
        (2, r#"{"limit": 1.0,"query":"\u00e4\ud83d\ude00"}"#),
        (3, r#"{"query":"a","limit":10000000000000000000000}"#),
    ] {
        rig.reaches_server(&call(id, "search", arguments)).await;
        rig.reaches_client(&format!(r#" {{"result":{{"content":[ ],"extra":1e400,"isError":false}},"id":{id}}}"#))
            .await;
    }
    let report = rig.report();
    let search = &report.tools["search"];
    assert_eq!((search.calls, search.repaired, search.rejected, search.failed), (3, 0, 0, 0));
}

#[tokio::test]
async fn a_repair_changes_only_the_arguments() {
    let mut rig = Rig::new();
    rig.list(&[search()]).await;
    for (id, arguments, repaired) in [
        (1, r#"{"query": "a", "limit": "3"}"#, r#"{"query":"a","limit":3}"#),
        (2, r#""{\"query\": \"a\"}""#, r#"{"query":"a"}"#),
        (3, r#""{'query': 'a', 'limit': 3,}""#, r#"{"query":"a","limit":3}"#),
    ] {
        let expected = call(id, "search", repaired);
        assert_eq!(rig.forwarded(id, "search", arguments).await, expected, "{arguments}");
        rig.reaches_client(&text(id, &id.to_string())).await;
    }
    assert_eq!(rig.report().tools["search"].repaired, 3);
}

#[tokio::test]
async fn a_misspelt_name_is_repaired_and_a_repair_keeps_the_rest_of_the_line() {
    let mut rig = Rig::new();
    rig.list(&[named("web_search")]).await;
    let line = |name: &str, limit: &str| {
        format!(
            r#"{{"x":[1, 2],"params":{{"_meta":{{"a":1}},"arguments":{{"query":"b","limit":{limit}}},"name":"{name}","y":{{}}}},"method":"tools/call","id":"q"}}"#
        )
    };
    rig.client.send(line("Web-Search", r#""3""#)).await;
    assert_eq!(rig.server.line().await, line("web_search", "3"));
}

#[tokio::test]
async fn calls_without_arguments_pass_if_the_tool_needs_none() {
    let mut rig = Rig::new();
    rig.list(&[json!({"name": "now", "inputSchema": {"type": "object"}})]).await;
    rig.reaches_server(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"now"}}"#).await;
    rig.reaches_server(&call(2, "now", "{}")).await;
    assert_eq!(rig.forwarded(3, "now", "null").await, call(3, "now", "{}"));
    rig.list(&[search()]).await;
    let rejected = rig.rejected(4, "search", "null").await;
    assert!(rejected.contains("query is required"), "{rejected}");
}

#[tokio::test]
async fn a_wrong_call_is_answered_with_every_issue() {
    let mut rig = Rig::new();
    rig.list(&[search()]).await;
    let rejected = rig.rejected(1, "search", r#"{"limit": 0, "queri": "a"}"#).await;
    for issue in ["query is required", r#"queri ("a") is not a known field"#, "limit must be at least 1"] {
        assert!(rejected.contains(issue), "{rejected}");
    }
    assert!(rejected.contains("\nSend this call, with a value in place of each <…>:\n"), "{rejected}");
    let report = rig.report();
    assert_eq!((report.tools["search"].calls, report.tools["search"].rejected), (1, 1));
}

#[tokio::test]
async fn the_rejection_of_an_unknown_tool_contains_a_suggestion() {
    let mut rig = Rig::new();
    rig.list(&[search()]).await;
    rig.reaches_server(&call(1, "serch", r#"{"query":"a"}"#)).await;
    rig.server.send(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool"}}"#).await;
    let answer = rig.client.message().await;
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(answer["result"]["isError"] == true && text.contains(r#""did_you_mean":["search"]"#), "{answer}");

    let rejected =
        |id: u64| format!(r#"{{"id":{id},"result":{{"isError":true,"content":[{{"type":"text","text":"no"}}]}}}}"#);
    rig.reaches_server(&call(2, "serch", r#"{"query":"a"}"#)).await;
    rig.server.send(rejected(2)).await;
    let answer = rig.client.message().await;
    assert_eq!(answer["result"]["content"][0]["text"], "no");
    assert!(answer["result"]["content"][1]["text"].as_str().unwrap().contains("did_you_mean"), "{answer}");
    assert_eq!(rig.report().tools["(other names)"].rejected, 2);
}

#[tokio::test]
async fn a_tool_that_the_server_does_not_list_can_be_called() {
    let mut rig = Rig::new();
    rig.list(&[search()]).await;
    rig.reaches_server(&call(1, "hidden", r#"{"query":"a"}"#)).await;
    rig.reaches_client(&text(1, "found")).await;
    // The server knows more about such a tool.
    rig.reaches_server(&call(2, "hidden", r#"{"query":"a"}"#)).await;
    rig.reaches_client(r#"{"id":2,"result":{"isError":true,"content":[{"type":"text","text":"Expand it first."}]}}"#)
        .await;
    let others = &rig.report().tools["(other names)"];
    assert_eq!((others.calls, others.unchecked, others.rejected), (2, 1, 1));
}

#[tokio::test]
async fn names_that_providers_reject_stay_as_they_are() {
    let mut rig = Rig::new();
    rig.list(&[named("svc.search/web \"x\""), named("other")]).await;
    rig.reaches_server(&call(1, "svc.search/web \"x\"", r#"{"query":"a"}"#)).await;
    let rejected = rig.rejected(2, "svc.search/web \"x\"", "{}").await;
    // Inside the answer, the name is written as in JSON.
    assert!(rejected.starts_with(r#"svc.search/web \"x\" was not run: query is required."#), "{rejected}");
    assert!(!rejected.contains("svc_search"), "{rejected}");
    rig.reaches_server(&call(3, "svc.search/web 'y'", "{}")).await;
    rig.server.send(r#"{"id":3,"error":{"code":-32602,"message":"Unknown tool"}}"#).await;
    let answer = rig.client.line().await;
    assert!(answer.contains("svc.search") && !answer.contains("svc_search"), "{answer}");
}

#[tokio::test]
async fn a_result_in_revision_2026_07_28_has_a_type() {
    let mut rig = Rig::new();
    let meta = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":1,"io.modelcontextprotocol/clientInfo":{"name":"a"}}"#;
    let line =
        format!(r#"{{"id":1,"method":"tools/call","params":{{"name":"search","arguments":{{}},"_meta":{meta}}}}}"#);
    rig.client.send(&line).await;
    let request = rig.server.message().await;
    let expected = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "a"},
    });
    assert_eq!((&request["method"], &request["params"]["_meta"]), (&json!("tools/list"), &expected));
    let result = json!({"tools": [search()], "resultType": "complete"});
    rig.server.send(json!({"id": request["id"], "result": result}).to_string()).await;
    let answer = rig.client.message().await;
    assert_eq!((&answer["result"]["resultType"], &answer["result"]["isError"]), (&json!("complete"), &json!(true)));
}

#[tokio::test]
async fn a_model_that_repeats_itself_is_warned_then_paused() {
    let clock = SimulatedClock::new();
    let mut rig = Rig::with(|proxy| proxy.clock(clock.clone()));
    rig.list(&[search()]).await;
    let arguments = r#"{"query":"a"}"#;
    rig.reaches_server(&call(1, "search", arguments)).await;
    rig.reaches_client(&text(1, "none")).await;
    for id in 2..=3 {
        rig.reaches_server(&call(id, "search", arguments)).await;
        clock.advance(Duration::from_millis(500));
        rig.server.send(text(id, "none")).await;
        let answer = rig.client.line().await;
        let is_warned = answer.len() > text(id, "none").len();
        assert_eq!(is_warned, id == 2, "{answer}");
        if is_warned {
            let parts = serde_json::from_str::<Value>(&answer).unwrap();
            assert_eq!(parts["result"]["content"][0]["text"], "none");
            assert!(parts["result"]["content"][1]["text"].as_str().unwrap().contains("same arguments"), "{answer}");
        }
    }
    let rejected = rig.rejected(4, "search", arguments).await;
    assert!(rejected.contains(r#""error_type":"throttled""#), "{rejected}");
    clock.advance(Duration::from_secs(31));
    rig.reaches_server(&call(5, "search", arguments)).await;
    let search = &rig.report().tools["search"];
    assert_eq!((search.calls, search.throttled, search.time), (5, 1, Duration::from_secs(1)));
}

#[tokio::test]
async fn failures_of_the_server_pause_a_tool_and_are_not_changed() {
    let mut rig = Rig::with(|proxy| proxy.clock(SimulatedClock::new()));
    rig.list(&[search()]).await;
    for id in 1..=3 {
        rig.reaches_server(&call(id, "search", &format!(r#"{{"query":"{id}"}}"#))).await;
        let failed =
            format!(r#"{{"id":{id},"result":{{"isError":true,"content":[{{"type":"text","text":"Down."}}]}}}}"#);
        rig.server.send(&failed).await;
        let answer = rig.client.line().await;
        assert_eq!(answer == failed, id != 2, "{answer}");
    }
    assert!(rig.rejected(4, "search", r#"{"query":"4"}"#).await.contains("same_error"));
    assert_eq!(rig.report().tools["search"].failed, 3);
}

#[tokio::test]
async fn rejected_calls_do_not_pause_valid_ones() {
    let mut rig = Rig::with(|proxy| proxy.clock(SimulatedClock::new()));
    rig.list(&[search()]).await;
    for id in 1..=3 {
        assert!(rig.rejected(id, "search", r#"{"limit":"many"}"#).await.contains("query is required"));
    }
    assert!(rig.rejected(4, "search", r#"{"limit":"many"}"#).await.contains("Use another tool, other arguments, or"));
    // The server drops the unknown key, so its call is valid.
    for (id, arguments) in [(5, r#"{"query":"5"}"#), (6, r#"{"query":"6","room":3}"#), (7, r#"{"query":"7"}"#)] {
        rig.reaches_server(&call(id, "search", arguments)).await;
    }
    for id in 5..=7 {
        rig.reaches_client(&text(id, &id.to_string())).await;
    }
    // The results have ended the pause.
    assert!(rig.rejected(8, "search", r#"{"limit":"many"}"#).await.contains("search was not run"));
    let search = &rig.report().tools["search"];
    assert_eq!((search.rejected, search.throttled), (4, 1));
}

#[tokio::test]
async fn a_new_query_may_run_until_the_error_has_come_for_three_of_them() {
    let mut rig = Rig::with(|proxy| proxy.clock(SimulatedClock::new()));
    rig.list(&[search()]).await;
    let failed = |id: u64| {
        format!(r#"{{"id":{id},"result":{{"isError":true,"content":[{{"type":"text","text":"No such thing."}}]}}}}"#)
    };
    for id in 1..=3 {
        rig.reaches_server(&call(id, "search", r#"{"query":"a"}"#)).await;
        rig.server.send(failed(id)).await;
        rig.client.line().await;
    }
    // The fourth equal failure in a row is rejected, and then a call with arguments that were never tried may run.
    for (id, query) in [(4, "a"), (5, "a")] {
        assert!(rig.rejected(id, "search", &format!(r#"{{"query":"{query}"}}"#)).await.contains("same_error"));
    }
    for (id, query) in [(6, "b"), (8, "c")] {
        rig.reaches_server(&call(id, "search", &format!(r#"{{"query":"{query}"}}"#))).await;
        rig.server.send(failed(id)).await;
        rig.client.line().await;
        assert!(rig.rejected(id + 1, "search", &format!(r#"{{"query":"{query}"}}"#)).await.contains("throttled"));
    }
    let rejected = rig.rejected(10, "search", r#"{"query":"d"}"#).await;
    assert!(rejected.contains("failed 5 times") && !rejected.contains("other arguments"), "{rejected}");
}

#[tokio::test]
async fn questions_and_tasks_do_not_count_as_repeated_results() {
    let mut rig = Rig::with(|proxy| proxy.clock(SimulatedClock::new()));
    rig.list(&[search()]).await;
    for id in 1..20 {
        rig.reaches_server(&call(id, "search", r#"{"query":"a"}"#)).await;
        let result = match id % 2 {
            0 => r#"{"resultType":"input_required","inputRequests":{}}"#,
            _ => r#"{"task":{"taskId":"1","status":"working"}}"#,
        };
        rig.reaches_client(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)).await;
    }
    assert_eq!(rig.report().tools["search"].throttled, 0);
}

#[tokio::test]
async fn the_throttle_and_the_repairs_can_be_turned_off() {
    let mut rig = Rig::with(|proxy| proxy.no_throttle().repair(RepairPolicy::Strict));
    rig.list(&[search()]).await;
    for id in 1..20 {
        rig.reaches_server(&call(id, "search", r#"{"query":"a"}"#)).await;
        rig.reaches_client(&text(id, "none")).await;
    }
    assert!(rig.rejected(20, "search", r#"{"query":"a","limit":"3"}"#).await.contains("limit"));
}

#[tokio::test]
async fn formats_are_not_checked_and_unknown_keys_are_rejected_only_if_they_resemble_an_absent_one() {
    let mut rig = Rig::new();
    let schema = json!({"type": "object", "properties": {"day": {"type": "string", "format": "date"}}});
    rig.list(&[json!({"name": "book", "inputSchema": schema}), search()]).await;
    rig.reaches_server(&call(1, "book", r#"{"day":"tomorrow","room":3}"#)).await;
    rig.reaches_server(&call(2, "search", r#"{"query":"a","room":3}"#)).await;
    assert!(rig.rejected(3, "search", r#"{"query":"a","Limit":3}"#).await.contains("limit"));
}

#[tokio::test]
async fn a_call_with_invalid_params_is_answered_with_an_error() {
    let mut rig = Rig::new();
    rig.list(&[search()]).await;
    for params in ["{}", r#"["search"]"#, r#"{"name":1}"#, r#"{"name":"search","name":"other"}"#, "null"] {
        rig.client.send(format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#)).await;
        assert_eq!(rig.client.message().await["error"]["code"], -32_602, "{params}");
    }
    rig.client.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#).await;
    assert_eq!(rig.client.message().await["error"]["code"], -32_602);
    rig.client.send(r#"{"method":"tools/call","params":{"name":"search","arguments":{"query":"a"}}}"#).await;
    rig.server_got_nothing().await;
}
