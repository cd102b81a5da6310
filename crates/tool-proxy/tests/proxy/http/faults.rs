//! Clients and servers that break the protocol or end.

use super::*;

#[tokio::test]
async fn requests_that_cannot_be_used_are_rejected() {
    let mut rig = Rig::new().await;
    let address = rig.address;
    let (_server, session) = rig.begin().await;
    let own = ("Mcp-Session-Id", &*session);
    let ping = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
    let long = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{}"}}"#, "x".repeat(100_000));
    for (headers, body, status) in [
        (vec![], ping, 400),
        (vec![("Mcp-Session-Id", "0")], ping, 404),
        (vec![own, ("Host", "evil.example.com")], ping, 403),
        (vec![own, ("Origin", "https://evil.example.com")], ping, 403),
        (vec![own, ("MCP-Protocol-Version", "1999-01-01")], ping, 400),
        (vec![own], &*long, 413),
        (vec![own], "", 400),
        (vec![own], "{", 400),
        (vec![own], "[]", 400),
        (vec![own], r#"{"jsonrpc":"2.0","id":7,"id":8,"method":"ping"}"#, 400),
        (vec![own], "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", 400),
    ] {
        let reply = within(post(address, &headers, body)).await;
        assert_eq!(reply.status, status, "{headers:?} {}", &body[..body.len().min(80)]);
    }
    let send = |method: &str, headers: &str| {
        let text = format!("{method} /mcp HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}\r\n");
        async move { within(crate::exchange::exchange(address, &text)).await.status }
    };
    let own = format!("Mcp-Session-Id: {session}\r\n");
    assert_eq!(send("GET", &own).await, 406);
    assert_eq!(send("GET", &format!("{own}Accept: application/json\r\n")).await, 406);
    assert_eq!(send("GET", "Accept: text/event-stream\r\n").await, 400);
    assert_eq!(send("PUT", &own).await, 405);
    assert_eq!(send("POST", &format!("{own}Accept: application/json\r\nContent-Length: 0\r\n")).await, 406);
    let accept = "Accept: application/json, text/event-stream\r\n";
    assert_eq!(send("POST", &format!("{own}{accept}Content-Length: 0\r\n")).await, 415);
    assert_eq!(send("DELETE", "").await, 400);
    assert_eq!(send("DELETE", &own).await, 204);
    assert_eq!(send("DELETE", &own).await, 404);
    assert_eq!(post(address, &[("Mcp-Session-Id", &session)], ping).await.status, 404);
    rig.end().await;
}

#[tokio::test]
async fn a_session_belongs_to_the_user_who_began_it() {
    let identify = |token: &str| token.strip_prefix("secret-of-").map(str::to_owned);
    let mut rig = Rig::with(|proxy| proxy.verify_bearer(identify)).await;
    assert_eq!(post(rig.address, &[], &initialize()).await.status, 401);
    assert_eq!(post(rig.address, &[("Authorization", "Bearer wrong")], &initialize()).await.status, 401);
    let (mut server, session) = rig.begin_with(&[("Authorization", "Bearer secret-of-ada")]).await;
    let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    for (user, status) in [("bob", 404), ("ada", 202)] {
        let token = format!("Bearer secret-of-{user}");
        let headers = [("Mcp-Session-Id", &*session), ("Authorization", &*token)];
        assert_eq!(post(rig.address, &headers, ready).await.status, status, "{user}");
    }
    assert_eq!(server.line().await, ready);
    rig.end().await;
}

#[tokio::test]
async fn an_address_that_others_reach_needs_a_bearer_check() {
    let listener = || async { TcpListener::bind("0.0.0.0:0").await.unwrap() };
    let server = || std::process::Command::new("true");
    let proxy = || Proxy::builder().build_http().unwrap();
    let rejected = proxy().serve(listener().await, server(), std::future::pending()).await;
    assert_eq!(rejected.map_err(|error| error.kind()), Err(std::io::ErrorKind::InvalidInput));
    for proxy in [proxy().without_authentication(), proxy().verify_bearer(|_| None)] {
        assert!(proxy.serve(listener().await, server(), std::future::ready(())).await.is_ok());
    }
}

#[tokio::test]
async fn the_number_of_sessions_is_bounded() {
    let mut rig = Rig::with(|proxy| proxy.max_sessions(2)).await;
    let (_first, _) = rig.begin().await;
    let (second, session) = rig.begin().await;
    let reply = post(rig.address, &[], &initialize()).await;
    assert_eq!((reply.status, reply.header("retry-after")), (503, Some("30")));
    assert_eq!(post_modern(rig.address, &json!(1), "prompts/list", json!({})).await.status, 503);
    // The server of the second session ends, so there is room again.
    drop(second);
    let headers = [("Mcp-Session-Id", &*session)];
    let ping = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
    while post(rig.address, &headers, ping).await.status != 404 {}
    rig.begin().await;
    rig.end().await;
}

#[tokio::test]
async fn a_server_that_ends_leaves_no_request_without_an_answer() {
    let mut rig = Rig::new().await;
    let (mut server, session) = rig.begin().await;
    let headers = [("Mcp-Session-Id", &*session)];
    let serve = async {
        server.list().await;
        server.line().await;
        drop(server);
    };
    let call = call(2, "search", &json!({"query": 1}));
    let (reply, ()) = tokio::join!(post(rig.address, &headers, &call), serve);
    assert!(reply.body.contains("may or may not have taken effect"), "{}", reply.body);

    let ask = |id: u64| async move { post_modern(rig.address, &json!(id), "prompts/list", json!({})).await };
    let serve = async {
        let mut server = within(rig.servers.recv()).await.unwrap();
        server.line().await;
    };
    let (reply, ()) = tokio::join!(ask(1), serve);
    assert!([200, 502].contains(&reply.status), "{}", reply.status);
    assert_eq!((&reply.json()["id"], &reply.json()["error"]["code"]), (&json!(1), &json!(-32_603)));
    rig.end().await;
}

#[tokio::test]
async fn a_server_that_cannot_be_started_is_reported() {
    let proxy = Arc::new(Proxy::builder().build_http().unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::process::Command::new("/there/is/no/such/program");
    let (stop, stopped) = oneshot::channel::<()>();
    let running = Arc::clone(&proxy);
    let task = tokio::spawn(async move { running.serve(listener, server, async { drop(stopped.await) }).await });
    let reply = post(address, &[], &initialize()).await;
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (502, &json!(-32_603)));
    assert_eq!(post_modern(address, &json!(1), "prompts/list", json!({})).await.status, 502);
    // A call waits for the list of tools.
    let call = json!({"name": "search", "arguments": {}});
    assert_eq!(post_modern(address, &json!(1), "tools/call", call).await.status, 502);
    drop(stop);
    within(task).await.unwrap().unwrap();
}

#[tokio::test]
async fn the_open_requests_of_a_session_are_bounded() {
    let mut rig = Rig::new().await;
    let (_server, session) = rig.begin().await;
    let headers = [("Mcp-Session-Id", &*session)];
    let mut open = Vec::new();
    for id in 0..100 {
        let ping = json!({"jsonrpc": "2.0", "id": id, "method": "ping"}).to_string();
        let mut one = Open::new(rig.address, "POST", &headers, &ping).await;
        one.until("\r\n\r\n").await;
        open.push(one);
    }
    let ping = r#"{"jsonrpc":"2.0","id":100,"method":"ping"}"#;
    let reply = post(rig.address, &headers, ping).await;
    assert_eq!(reply.json()["error"]["message"], "Too many requests are not answered yet.");
    drop(open);
    rig.end().await;
}

#[tokio::test]
async fn a_client_that_disconnects_before_its_session_has_begun_leaves_no_server() {
    let mut rig = Rig::new().await;
    let open = Open::new(rig.address, "POST", &[], &initialize()).await;
    let mut server = rig.server().await;
    server.line().await;
    drop(open);
    assert_eq!(server.end_or_line().await, None);
    rig.end().await;
}
