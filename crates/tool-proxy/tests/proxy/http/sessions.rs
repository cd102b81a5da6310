//! Sessions of revisions until 2025-11-25.

use super::*;

#[tokio::test]
async fn each_session_has_a_server_of_its_own_and_messages_stay_the_same() {
    let mut rig = Rig::new().await;
    let (mut one, first) = rig.begin().await;
    let (mut other, second) = rig.begin().await;
    assert_ne!(first, second);
    let line =
        r#"{ "jsonrpc":"2.0", "x": [1.0, 12345678901234567890123], "method":"prompts/get", "id":"é", "params":{} }"#;
    for (server, session) in [(&mut other, &second), (&mut one, &first)] {
        let body = line.replace(", ", ",\n");
        let headers = [("Mcp-Session-Id", &**session)];
        let answer = r#"{"id":"é","jsonrpc":"2.0","result":{"a":1.50,"unknown":null}}"#;
        let serve = async {
            assert_eq!(server.line().await, line);
            server.send_line(answer).await;
        };
        let (reply, ()) = tokio::join!(post(rig.address, &headers, &body), serve);
        assert!(reply.body.contains(&format!("data: {answer}\n\n")), "{}", reply.body);
    }
    rig.end().await;
    assert_eq!(one.end_or_line().await, None, "the server ends with the proxy");
}

#[tokio::test]
async fn mistakes_of_the_model_are_repaired_or_answered() {
    let mut rig = Rig::new().await;
    let (mut server, session) = rig.begin().await;
    let headers = [("Mcp-Session-Id", &*session)];
    let serve = async {
        server.list().await;
        let call = server.message().await;
        assert_eq!(call["params"]["arguments"], json!({"query": 3}));
        server.answer(&call, "three").await;
    };
    let repaired = call(2, "search", &json!({"query": "3"}));
    let (reply, ()) = tokio::join!(post(rig.address, &headers, &repaired), serve);
    assert_eq!(reply.json()["result"]["content"][0]["text"], "three");
    let reply = post(rig.address, &headers, &call(3, "search", &json!({}))).await;
    assert_eq!(reply.json()["result"]["isError"], true);
    let report = rig.proxy.report();
    let search = &report.tools["search"];
    assert_eq!((search.calls, search.repaired, search.rejected), (2, 1, 1));
    drop(server);
    rig.end().await;
}

#[tokio::test]
async fn reports_of_all_sessions_are_added() {
    let mut rig = Rig::new().await;
    for _ in 0..3 {
        let (mut server, session) = rig.begin().await;
        let headers = [("Mcp-Session-Id", &*session)];
        let rejected = call(2, "search", &json!({}));
        let (reply, ()) = tokio::join!(post(rig.address, &headers, &rejected), server.list());
        assert_eq!(reply.json()["result"]["isError"], true);
        let delete = exchange(rig.address, "DELETE", &session).await;
        assert_eq!(delete.status, 204);
        assert_eq!(server.end_or_line().await, None);
    }
    assert_eq!(rig.proxy.report().tools["search"].rejected, 3);
    rig.end().await;
}

async fn exchange(address: SocketAddr, method: &str, session: &str) -> Reply {
    let text = format!(
        "{method} /mcp HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nAccept: text/event-stream\r\nMcp-Session-Id: {session}\r\n\r\n"
    );
    within(crate::exchange::exchange(address, &text)).await
}

#[tokio::test]
async fn progress_precedes_the_answer_in_the_stream_of_its_request() {
    let mut rig = Rig::new().await;
    let (mut server, session) = rig.begin().await;
    let headers = [("Mcp-Session-Id", &*session)];
    let mut listening = Open::new(rig.address, "GET", &headers, "").await;
    listening.until("\r\n\r\n").await;
    let progress =
        json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": "p", "progress": 1}});
    let changed = json!({"jsonrpc": "2.0", "method": "notifications/prompts/list_changed"});
    let serve = async {
        server.list().await;
        let call = server.message().await;
        server.send(&progress).await;
        server.send(&changed).await;
        server.answer(&call, "done").await;
    };
    let call = call(2, "search", &json!({"query": 1}));
    let (reply, ()) = tokio::join!(post(rig.address, &headers, &call), serve);
    let (before, after) = (reply.body.find("notifications/progress"), reply.body.find("done"));
    assert!(before.is_some() && before < after && !reply.body.contains("list_changed"), "{}", reply.body);
    let listened = listening.until("list_changed").await;
    assert!(!listened.contains("notifications/progress"), "{listened}");
    rig.end().await;
}

#[tokio::test]
async fn a_question_of_the_server_waits_for_a_stream_and_is_answered() {
    let mut rig = Rig::new().await;
    let (mut server, session) = rig.begin().await;
    let headers = [("Mcp-Session-Id", &*session)];
    let question = r#"{"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":{}}"#;
    server.send_line(question).await;
    let mut listening = Open::new(rig.address, "GET", &headers, "").await;
    listening.until(question).await;
    let answer = r#"{"jsonrpc":"2.0","id":"q","result":{}}"#;
    assert_eq!(post(rig.address, &headers, answer).await.status, 202);
    assert_eq!(server.line().await, answer);

    drop(listening);
    let ping = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
    let mut open = Open::new(rig.address, "POST", &headers, ping).await;
    assert_eq!(server.line().await, ping);
    // The proxy learns that the first stream is closed when it sends the next event, or before.
    open.until("\r\n\r\n").await;
    let second = question.replace("\"q\"", "\"r\"");
    server.send_line(&second).await;
    server.send(&json!({"jsonrpc": "2.0", "id": 7, "result": {}})).await;
    open.until("\"result\"").await;
    if !open.text.contains(&second) {
        let headers = [headers[0], ("Last-Event-ID", "0-1")];
        Open::new(rig.address, "GET", &headers, "").await.until(&second).await;
    }
    rig.end().await;
}

#[tokio::test]
async fn a_stream_is_resumed_after_the_client_has_disconnected() {
    let mut rig = Rig::new().await;
    let (mut server, session) = rig.begin().await;
    let headers = [("Mcp-Session-Id", &*session), ("MCP-Protocol-Version", "2025-11-25")];
    let ping = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
    let mut open = Open::new(rig.address, "POST", &headers, ping).await;
    open.until("id: 2-0\nretry: 1000\ndata: \n\n").await;
    assert_eq!(server.line().await, ping);
    drop(open);
    let answer = r#"{"jsonrpc":"2.0","id":7,"result":{"is":"kept"}}"#;
    server.send_line(answer).await;
    let headers = [headers[0], headers[1], ("Last-Event-ID", "2-0"), ("Connection", "close")];
    Open::new(rig.address, "GET", &headers, "").await.until(&format!("id: 2-1\ndata: {answer}\n\n")).await;
    for unknown in ["99-0", "x", "2", "-1"] {
        let headers = [headers[0], ("Last-Event-ID", unknown), ("Connection", "close")];
        let mut open = Open::new(rig.address, "GET", &headers, "").await;
        within(open.stream.read_to_string(&mut open.text)).await.unwrap();
        assert!(open.text.starts_with("HTTP/1.1 200") && !open.text.contains("data:"), "{unknown}: {}", open.text);
    }
    rig.end().await;
}

#[tokio::test]
async fn an_id_in_use_is_rejected_and_a_cancelled_request_ends() {
    let mut rig = Rig::new().await;
    let (mut server, session) = rig.begin().await;
    let headers = [("Mcp-Session-Id", &*session)];
    let ping = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
    let mut open = Open::new(rig.address, "POST", &[headers[0], ("Connection", "close")], ping).await;
    assert_eq!(server.line().await, ping);
    let reply = post(rig.address, &headers, ping).await;
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (200, &json!(-32_600)));
    let cancelled = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#;
    assert_eq!(post(rig.address, &headers, cancelled).await.status, 202);
    assert_eq!(server.line().await, cancelled);
    within(open.stream.read_to_string(&mut open.text)).await.unwrap();
    assert!(!open.text.contains("jsonrpc"), "{}", open.text);
    rig.end().await;
}

/// `SESSION_CALLS=40` makes 1,600 calls at the same time, which need 3,200 open files.
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_calls_of_many_sessions_with_equal_ids_get_their_own_answers() {
    const SESSIONS: u64 = 40;
    let calls: u64 = std::env::var("SESSION_CALLS").ok().and_then(|calls| calls.parse().ok()).unwrap_or(10);
    let mut rig = Rig::built(ProxyBuilder::no_throttle, |proxy| proxy).await;
    let address = rig.address;
    let (mut clients, mut servers) = (tokio::task::JoinSet::new(), tokio::task::JoinSet::new());
    for session in 0..SESSIONS {
        let (mut server, id) = rig.begin().await;
        servers.spawn(async move {
            server.list().await;
            let mut waiting = Vec::new();
            for _ in 0..calls {
                waiting.push(server.message().await);
            }
            // The last call is answered first.
            for call in waiting.iter().rev() {
                server.answer(call, &format!("{session} {}", call["params"]["arguments"]["query"])).await;
            }
            server
        });
        for number in 0..calls {
            let id = id.clone();
            clients.spawn(async move {
                let query = session * 1_000 + number;
                let request = call(number, "search", &json!({"query": query}));
                let reply = post(address, &[("Mcp-Session-Id", &*id)], &request).await.json();
                assert_eq!(reply["id"], number);
                assert_eq!(reply["result"]["content"][0]["text"], format!("{session} {query}"));
            });
        }
    }
    assert_eq!(clients.join_all().await.len() as u64, SESSIONS * calls);
    assert_eq!(rig.proxy.report().tools["search"].calls, SESSIONS * calls);
    drop(servers.join_all().await);
    rig.end().await;
}

#[tokio::test]
async fn sessions_share_remembered_definitions() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("pins-of-sessions.json");
    let _ = std::fs::remove_file(&path);
    let pins = Pins::open(&path).unwrap();
    let mut rig = Rig::built(|proxy| proxy.pins(pins.clone(), PinMode::Hold), |http| http).await;
    let (mut one, first) = rig.begin().await;
    let rejected = call(2, "search", &json!({}));
    let headers = [("Mcp-Session-Id", &*first)];
    let (reply, ()) = tokio::join!(post(rig.address, &headers, &rejected), one.list());
    assert!(reply.json()["result"]["content"][0]["text"].as_str().unwrap().contains("query"));
    let (mut other, second) = rig.begin().await;
    let headers = [("Mcp-Session-Id", &*second)];
    let list = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/list"}).to_string();
    let serve = async {
        let request = other.message().await;
        let tools = json!([{"name": "search", "inputSchema": {"type": "object"}}]);
        other.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {"tools": tools}})).await;
    };
    let (reply, ()) = tokio::join!(post(rig.address, &headers, &list), serve);
    assert_eq!(reply.json()["result"]["tools"], json!([]));
    let changes = pins.changes().unwrap();
    assert_eq!((changes.len(), &*changes[0].server, &*changes[0].tool), (1, "server", "search"));
    drop((one, other));
    rig.end().await;
    let _ = std::fs::remove_file(&path);
}
