//! Peers that end, break the protocol, or do not read.

use serde_json::json;
use tool_proxy::{ProxyBuilder, ProxyEnd};

use super::rig::{Rig, call, search, text};

#[tokio::test]
async fn answers_that_nobody_asked_for_are_dropped() {
    let mut rig = Rig::new();
    rig.list(&[search()]).await;
    rig.reaches_server(&call(1, "search", r#"{"query":"a"}"#)).await;
    rig.server.send(text(2, "?")).await;
    rig.reaches_client(&text(1, "a")).await;
    rig.server.send(text(1, "b")).await;
    rig.server.send(r#"{"id":"1","error":{"code":1,"message":""}}"#).await;
    rig.client_got_nothing().await;
    rig.reaches_client(r#"{"id":1,"method":"roots/list"}"#).await;
    rig.reaches_server(r#"{"id":1,"result":{"roots":[]}}"#).await;
    rig.client.send(r#"{"id":1,"result":{"roots":[]}}"#).await;
    rig.server_got_nothing().await;
    assert_eq!(rig.report().stray_answers, 4);
}

#[tokio::test]
async fn an_answer_to_a_call_that_was_not_forwarded_yet_is_dropped() {
    let mut rig = Rig::new();
    rig.client.send(call(1, "search", r#"{"query":"a"}"#)).await;
    let request = rig.server.message().await;
    rig.server.send(text(1, "early")).await;
    rig.server.send(json!({"id": request["id"], "result": {"tools": [search()]}}).to_string()).await;
    assert_eq!(rig.server.line().await, call(1, "search", r#"{"query":"a"}"#));
    rig.reaches_client(&text(1, "a")).await;
    assert_eq!(rig.report().stray_answers, 1);
}

#[tokio::test]
async fn a_second_request_with_the_id_of_an_open_one_is_rejected() {
    let mut rig = Rig::new();
    rig.reaches_server(r#"{"id":1,"method":"ping"}"#).await;
    rig.client.send(r#"{"id":1.0,"method":"ping"}"#).await;
    assert_eq!(rig.client.message().await["error"]["code"], -32_600);
    rig.reaches_client(r#"{"id":1,"method":"ping"}"#).await;
    rig.server.send(r#"{"id":1,"method":"ping"}"#).await;
    assert_eq!(rig.server.message().await["error"]["code"], -32_600);
    rig.reaches_client(r#"{"id":1,"result":{}}"#).await;
    rig.reaches_server(r#"{"id":1,"result":{}}"#).await;
    rig.reaches_server(r#"{"id":1,"method":"ping"}"#).await;
}

#[tokio::test]
async fn cancellations_are_forwarded_and_late_answers_too() {
    let mut rig = Rig::new();
    rig.list(&[search()]).await;
    let cancel = r#"{"method":"notifications/cancelled","params":{"reason":"x","requestId":1}}"#;
    rig.reaches_server(&call(1, "search", r#"{"query":"a"}"#)).await;
    rig.reaches_server(cancel).await;
    rig.reaches_server(cancel).await;
    rig.client.send(call(1, "search", r#"{"query":"a"}"#)).await;
    assert_eq!(rig.client.message().await["error"]["code"], -32_600, "its answer could be that of the first call");
    rig.reaches_client(&text(1, "late")).await;
    rig.reaches_server(&call(1, "search", r#"{"query":"a"}"#)).await;
    rig.reaches_client(&text(1, "b")).await;
    let search = &rig.report().tools["search"];
    assert_eq!((search.calls, search.failed), (2, 0));
}

#[tokio::test]
async fn a_call_that_is_cancelled_while_it_waits_never_reaches_the_server() {
    let mut rig = Rig::new();
    for id in 1..=2 {
        rig.client.send(call(id, "search", r#"{"query":"a"}"#)).await;
    }
    rig.client.send(r#"{"method":"notifications/cancelled","params":{"requestId":1}}"#).await;
    let request = rig.server.message().await;
    rig.server_got_nothing().await;
    rig.server.send(json!({"id": request["id"], "result": {"tools": [search()]}}).to_string()).await;
    assert_eq!(rig.server.line().await, call(2, "search", r#"{"query":"a"}"#));
    rig.server_got_nothing().await;
    rig.client_got_nothing().await;
}

#[tokio::test]
async fn every_open_request_is_answered_when_the_server_ends() {
    let mut rig = Rig::new();
    rig.list(&[search()]).await;
    rig.reaches_server(&call(1, "search", r#"{"query":"a"}"#)).await;
    rig.reaches_server(r#"{"id":2,"method":"prompts/list"}"#).await;
    rig.reaches_client(r#"{"method":"notifications/tools/list_changed"}"#).await;
    rig.client.send(call(3, "search", r#"{"query":"b"}"#)).await;
    rig.server.line().await;
    let Rig { mut client, server, task, .. } = rig;
    server.close();
    let mut answers = Vec::new();
    while let Some(line) = client.end_or_line().await {
        answers.push(serde_json::from_str::<serde_json::Value>(&line).unwrap());
    }
    answers.sort_by_key(|answer| answer["id"].as_u64());
    assert_eq!(answers.iter().map(|answer| answer["id"].as_u64()).collect::<Vec<_>>(), [Some(1), Some(2), Some(3)]);
    let text = answers[0]["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("may or may not have taken effect"), "{text}");
    assert_eq!(answers[1]["error"]["message"], "The server has ended: it closed its output.");
    assert_eq!(answers[2]["error"]["message"], "The server has ended before it got the call: it closed its output.");
    assert_eq!(task.await.unwrap(), ProxyEnd::Server { code: None, had_requests: true });
}

#[tokio::test(start_paused = true)]
async fn the_server_may_answer_after_the_client_has_stopped_sending() {
    let mut rig = Rig::new();
    rig.list(&[search()]).await;
    rig.reaches_server(&call(1, "search", r#"{"query":"a"}"#)).await;
    rig.client.hang_up().await;
    assert_eq!(rig.server.end_or_line().await, None, "its input is closed");
    rig.reaches_client(&text(1, "a")).await;
    assert_eq!(rig.task.await.unwrap(), ProxyEnd::Client);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_leaves_ends_the_proxy() {
    let mut rig = Rig::new();
    rig.list(&[search()]).await;
    rig.reaches_server(&call(1, "search", r#"{"query":"a"}"#)).await;
    let Rig { client, server: _server, task, .. } = rig;
    client.close();
    assert_eq!(task.await.unwrap(), ProxyEnd::Client);
}

#[tokio::test]
async fn lines_that_are_not_messages_are_dropped_and_broken_answers_end_their_requests() {
    let mut rig = Rig::new();
    rig.list(&[search()]).await;
    rig.reaches_server(&call(1, "search", r#"{"query":"a"}"#)).await;
    rig.reaches_server(r#"{"id":2,"method":"ping"}"#).await;
    for line in [&b"Listening..."[..], b"", b"\xff\xfe", b"{", b"[]", b"[1,2", b"\"text\"", b"{\"id\":9}"] {
        rig.server.send(line).await;
    }
    rig.client_got_nothing().await;
    rig.server.send(&b"{\"id\":1,\"result\":{\"content\":\"\xff\"}}"[..]).await;
    let answer = rig.client.line().await;
    assert!(answer.contains("not valid") && answer.contains("may have taken effect"), "{answer}");
    rig.server.send(r#"{"id":2,"result":{}} {}"#).await;
    assert_eq!(rig.client.message().await["error"]["code"], -32_603);
    for (line, id) in [(r#"{"id":3,"method":"ping",}"#, 3), (r#"{"id":4,"method":"a","method":"b"}"#, 4)] {
        rig.client.send(line).await;
        let answer = rig.client.message().await;
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(id), &json!(-32_600)));
    }
    rig.client.send("x").await;
    rig.server_got_nothing().await;
    assert_eq!(rig.report().bad_lines, 12);
}

#[tokio::test]
async fn several_messages_in_one_line_are_rejected() {
    let mut rig = Rig::new();
    rig.client.send(format!(r#"[{{"id":1,"method":"ping"}},{},{{"method":"x"}},3]"#, call(2, "search", "{}"))).await;
    for id in 1..=2 {
        let answer = rig.client.message().await;
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(id), &json!(-32_600)));
    }
    rig.server_got_nothing().await;
}

#[tokio::test]
async fn a_message_that_is_too_long_becomes_an_error_answer() {
    let mut rig = Rig::with(|proxy| proxy.max_message_bytes(10_000));
    rig.list(&[search()]).await;
    let long = "x".repeat(1_000_000);
    rig.reaches_server(&call(1, "search", r#"{"query":"a"}"#)).await;
    let Rig { mut client, mut server, proxy, .. } = rig;
    server.send(text(1, &long)).await;
    let answer = client.line().await;
    assert!(answer.contains("more than 10000 bytes") && answer.contains("\"isError\":true"), "{answer}");
    client.send(call(2, "search", &format!(r#"{{"query":"{long}"}}"#))).await;
    let answer = client.message().await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(2), &json!(-32_600)));
    server.send(format!(r#"{{"id":3,"method":"sampling/createMessage","params":"{long}"}}"#)).await;
    assert_eq!(server.message().await["error"]["code"], -32_600);
    server.send(r#"{"id":4,"method":"roots/list"}"#).await;
    client.line().await;
    client.send(format!(r#"{{"id":4,"result":"{long}"}}"#)).await;
    let answer = server.message().await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(4), &json!(-32_603)));
    assert_eq!(proxy.report().bad_lines, 4);
    for line in [format!(r#"{{"method":"notifications/message","params":"{long}"}}"#), long.clone()] {
        server.send(&line).await;
        client.send(&line).await;
    }
    client.send(r#"{"id":5,"method":"ping"}"#).await;
    server.line().await;
    server.send(r#"{"id":5,"result":{}}"#).await;
    client.line().await;
    assert_eq!(proxy.report().bad_lines, 8);
}

#[tokio::test]
async fn neither_side_stops_the_other_direction_by_not_reading() {
    let mut rig = Rig::with(ProxyBuilder::no_throttle);
    rig.list(&[search()]).await;
    let large = "x".repeat(100_000);
    // The client reads nothing while the server sends more than all buffers hold.
    let Rig { mut client, mut server, .. } = rig;
    let flood = tokio::spawn(async move {
        for _ in 0..50 {
            server.send(format!(r#"{{"method":"notifications/message","params":"{large}"}}"#)).await;
        }
        server
    });
    let ping = r#"{"id":1,"method":"ping"}"#;
    client.send(ping).await;
    tokio::task::yield_now().await;
    for _ in 0..50 {
        client.line().await;
    }
    let mut server = flood.await.unwrap();
    assert_eq!(server.line().await, ping);
}

#[tokio::test]
async fn a_broken_answer_ends_the_only_open_request() {
    for line in [
        r#"{"jsonrpc":"2.0","id":9,"resu"#,
        r#"{"jsonrpc":"2.0","id":9]"#,
        r#"{"jsonrpc":"2.0","id":9}"#,
        r#"{"jsonrpc":"2.0","result":{"content":[]},"id":"#,
        r#" {"jsonrpc": "2.0", "result": {"content": [{"type": "text"#,
        r#"{"jsonrpc":"2.0","id":9,"id":9,"result":{}}"#,
        r#"{"jsonrpc""#,
        r#"{"id":9,"jsonrpc":"2.0","#,
        r#"{"jsonrpc":"2.0","id":9,"result":{}}{"jsonrpc":"2.0","id":9,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":{"a":9},"result":{}}"#,
    ] {
        let mut rig = Rig::new();
        rig.list(&[search()]).await;
        rig.reaches_server(&call(9, "search", r#"{"query":"a"}"#)).await;
        rig.server.send(line).await;
        let answer = rig.client.line().await;
        assert!(answer.contains("not valid") && answer.contains("may have taken effect"), "{line}: {answer}");
        let late = text(9, "late");
        rig.server.send(&late).await;
        rig.client_got_nothing().await;
        // If several are open, the log says so.
        rig.reaches_server(&call(10, "search", r#"{"query":"b"}"#)).await;
        rig.reaches_server(r#"{"id":11,"method":"ping"}"#).await;
        rig.server.send(r#"{"jsonrpc":"2.0","resu"#).await;
        rig.client_got_nothing().await;
        let remarks = rig.remarks();
        assert!(remarks.iter().any(|remark| remark.contains("one of several open requests")), "{remarks:?}");
    }
}

#[tokio::test]
async fn other_lines_of_a_server_end_no_request() {
    let mut rig = Rig::new();
    rig.list(&[search()]).await;
    rig.reaches_server(&call(1, "search", r#"{"query":"a"}"#)).await;
    for line in [
        "Server started",
        "{\"level\":\"info\",\"id\":1}",
        "[1] jsonrpc",
        "{",
        "jsonrpc {",
        "Debug: {\"jsonrpc\":\"2.0\"",
        "}",
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"x"#,
        r#"{"jsonrpc":"2.0","method":"ping","id":"#,
        "# \u{1b}[0m",
    ] {
        rig.server.send(line).await;
    }
    rig.client_got_nothing().await;
    rig.reaches_client(&text(1, "a")).await;
    let remarks = rig.remarks();
    assert!(remarks[0].ends_with("The message is not valid. It begins with Server started"), "{remarks:?}");
    assert!(!remarks.iter().any(|remark| remark.contains("data")), "{remarks:?}");
}

#[tokio::test]
async fn the_beginning_of_a_dropped_line_is_not_logged_if_arguments_are_redacted() {
    let mut rig = Rig::with(|proxy| proxy.redact(["token"]));
    rig.server.send("token=hunter2").await;
    rig.client
        .send(format!(r#"{{"method":"tools/call","params":{{"name":"a","arguments":{{"x":"{}"#, "s".repeat(500)))
        .await;
    rig.client_got_nothing().await;
    assert!(!rig.remarks().iter().any(|remark| remark.contains("begins")), "{:?}", rig.remarks());
}

#[tokio::test]
async fn a_byte_order_mark_is_not_forwarded() {
    let mut rig = Rig::new();
    let ping = r#"{"id":1,"method":"ping"}"#;
    rig.client.send(format!("\u{feff}{ping}")).await;
    assert_eq!(rig.server.line().await, ping);
    rig.server.send("\u{feff}{\"id\":1,\"result\":{}}").await;
    assert_eq!(rig.client.line().await, r#"{"id":1,"result":{}}"#);
}
