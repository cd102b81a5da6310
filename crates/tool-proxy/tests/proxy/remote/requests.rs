//! The requests that the proxy sends, and the forms of answers.

use super::*;

#[tokio::test]
async fn a_call_is_checked_before_it_is_sent_and_the_session_is_ended() {
    let mut web = Web::new().await;
    let mut rig = Rig::new(web.server().header("X-Team", "blue").unwrap().bearer("t0ken").unwrap());
    rig.begin(&mut web).await;
    rig.call(1, json!({})).await;
    let (text, is_error) = rig.answer(1).await;
    assert!(is_error && text.contains("a is required"), "{text}");
    web.got_nothing();
    rig.call(2, json!({"a": "3"})).await;
    let request = web.call("tools/call").await;
    assert_eq!(request.body["params"]["arguments"], json!({"a": 3}));
    for (name, expected) in [
        ("authorization", "Bearer t0ken"),
        ("x-team", "blue"),
        ("mcp-session-id", "one"),
        ("mcp-protocol-version", "2025-11-25"),
        ("accept", "application/json, text/event-stream"),
        ("content-type", "application/json"),
    ] {
        assert_eq!(request.header(name), Some(expected), "{}", request.head);
    }
    assert_eq!(request.header("mcp-method"), None);
    assert!(request.head.starts_with("POST /mcp?key=s3cret HTTP/1.1"));
    request.text("4").await;
    assert_eq!(rig.answer(2).await, ("4".to_owned(), false));
    let end = tokio::spawn(rig.end());
    let last = web.request().await;
    assert_eq!((last.method.as_str(), last.header("mcp-session-id")), ("DELETE", Some("one")));
    assert_eq!(last.header("authorization"), Some("Bearer t0ken"));
    last.respond("204 No Content", "", "").await;
    assert_eq!(end.await.unwrap(), ProxyEnd::Server { code: Some(0), had_requests: false });
}

#[tokio::test]
async fn an_answer_has_any_form_that_the_protocol_allows() {
    let mut web = Web::new().await;
    let mut rig = Rig::new(web.server());
    rig.begin(&mut web).await;
    // JSON on several lines.
    rig.call(1, json!({"a": 1})).await;
    let pretty = "{\n  \"jsonrpc\": \"2.0\",\r\n  \"id\": 1,\n  \"result\": {\"content\": [{\"type\": \"text\", \"text\": \"1\"}]}\n}\n";
    let headers = "Content-Type: Application/JSON; charset=utf-8\r\n";
    web.request().await.respond("200 OK", headers, pretty).await;
    assert_eq!(rig.answer(1).await.0, "1");
    // JSON without its type.
    rig.call(4, json!({"a": 4})).await;
    let text = r#"{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"4"}]}}"#;
    web.request().await.respond("200 OK", "Content-Type: text/plain\r\n", text).await;
    assert_eq!(rig.answer(4).await.0, "4");
    // A stream with a report of progress, and with comments.
    rig.call(2, json!({"a": 2})).await;
    let mut stream = web.request().await.stream().await;
    let events = ": hello\n\nid: 1\ndata:\n\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{}}\n\n";
    stream.write_all(events.as_bytes()).await.unwrap();
    assert_eq!(rig.message().await["method"], "notifications/progress");
    let answer = "data: {\"jsonrpc\":\"2.0\",\"id\":2,\r\ndata: \"result\":{\"content\":[{\"type\":\"text\",\"text\":\"2\"}]}}\r\n\r\n";
    stream.write_all(answer.as_bytes()).await.unwrap();
    assert_eq!(rig.answer(2).await.0, "2");
    // An error of JSON-RPC with the status of an error.
    rig.send(json!({"jsonrpc": "2.0", "id": 3, "method": "prompts/list"})).await;
    let error = json!({"jsonrpc": "2.0", "id": 3, "error": {"code": -32_601, "message": "no prompts"}});
    web.request().await.respond("404 Not Found", "Content-Type: application/json\r\n", &error.to_string()).await;
    assert_eq!(rig.message().await, error);
}

#[tokio::test]
async fn calls_run_at_the_same_time() {
    let mut web = Web::new().await;
    let mut rig = Rig::new(web.server());
    rig.begin(&mut web).await;
    for id in 1..=20 {
        rig.call(id, json!({"a": id})).await;
    }
    let mut open = Vec::new();
    for _ in 1..=20 {
        open.push(web.call("tools/call").await);
    }
    for request in open.into_iter().rev() {
        let text = request.body["params"]["arguments"]["a"].to_string();
        request.text(&text).await;
    }
    for _ in 1..=20 {
        let answer = rig.message().await;
        assert_eq!(answer["result"]["content"][0]["text"], answer["id"].to_string());
    }
}

#[tokio::test]
async fn the_server_asks_the_client_and_reports_changes() {
    let mut web = Web::new().await;
    let mut rig = Rig::new(web.server());
    rig.initialize().await;
    web.call("initialize").await.result(&greeting()).await;
    rig.message().await;
    rig.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    web.call("notifications/initialized").await.accept().await;
    let mut stream = web.request().await.stream().await;
    let question = json!({"jsonrpc": "2.0", "id": "q", "method": "roots/list"});
    stream.write_all(format!("id: 7\nretry: 10\ndata: {question}\n\n").as_bytes()).await.unwrap();
    assert_eq!(rig.message().await, question);
    let reply = json!({"jsonrpc": "2.0", "id": "q", "result": {"roots": []}});
    rig.send(reply.clone()).await;
    let request = web.request().await;
    assert_eq!(request.body, reply);
    request.accept().await;
    // A stream that ends is read again from the last event.
    drop(stream);
    let again = web.request().await;
    assert_eq!((again.method.as_str(), again.header("last-event-id")), ("GET", Some("7")));
    let mut stream = again.stream().await;
    let changed = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
    stream.write_all(format!("data: {changed}\n\n").as_bytes()).await.unwrap();
    assert_eq!(rig.message().await, changed);
}

/// In protocol version 2026-07-28, headers repeat the message, and a call is cancelled by closing its response.
#[tokio::test]
async fn a_request_without_a_session_has_its_headers() {
    let mut web = Web::new().await;
    let mut rig = Rig::new(web.server());
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let discover = json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": meta}});
    rig.send(discover).await;
    let request = web.call("server/discover").await;
    assert_eq!(request.header("mcp-method"), Some("server/discover"));
    assert_eq!(request.header("mcp-protocol-version"), Some("2026-07-28"));
    let discovered =
        json!({"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}});
    request.result(&discovered).await;
    assert_eq!(rig.message().await["result"], discovered);
    rig.send(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {"_meta": meta}})).await;
    let properties = json!({
        "city": {"type": "string", "x-mcp-header": "City"},
        "day": {"type": "integer", "x-mcp-header": "Day"},
        "no": {"type": "string", "x-mcp-header": "not a header"},
    });
    let schema = json!({"type": "object", "properties": properties});
    let listed = json!({"resultType": "complete", "tools": [{"name": "größe", "inputSchema": schema}], "ttlMs": 60_000, "cacheScope": "private"});
    web.call("tools/list").await.result(&listed).await;
    rig.message().await;
    let params = json!({"name": "größe", "arguments": {"city": "Zürich", "day": "7", "no": "x"}, "_meta": meta});
    rig.send(json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params})).await;
    let mut request = web.call("tools/call").await;
    for (name, expected) in [
        ("mcp-name", Some("=?base64?Z3LDtsOfZQ==?=")),
        ("mcp-param-city", Some("=?base64?WsO8cmljaA==?=")),
        ("mcp-param-day", Some("7")),
        ("mcp-session-id", None),
    ] {
        assert_eq!(request.header(name), expected, "{}", request.head);
    }
    let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}});
    rig.send(cancelled).await;
    assert_eq!(within(request.stream.read(&mut [0])).await.unwrap_or(0), 0, "the connection is closed");
    web.got_nothing();
}

/// A token that a function returns can change between two requests, also because the server does not accept it any more.
#[tokio::test]
async fn a_token_can_be_replaced() {
    let mut web = Web::new().await;
    let rejections = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&rejections);
    let token = move |rejected: Option<String>| {
        let mut seen = seen.lock().unwrap();
        seen.extend(rejected);
        let token = format!("t{}\n", seen.len().min(1));
        std::future::ready(if seen.len() < 3 { Ok(token) } else { Err(io::Error::other("no file")) })
    };
    let mut rig = Rig::new(web.server().bearer_with(token));
    rig.initialize().await;
    let request = web.call("initialize").await;
    assert_eq!(request.header("authorization"), Some("Bearer t0"));
    request.respond("401 Unauthorized", "", "").await;
    let again = web.call("initialize").await;
    assert_eq!(again.header("authorization"), Some("Bearer t1"));
    again.result(&greeting()).await;
    rig.message().await;
    for (id, expected) in [(1, "without a valid token (status 401)"), (2, "needs a token: no file")] {
        rig.send(json!({"jsonrpc": "2.0", "id": id, "method": "ping"})).await;
        web.call("ping").await.respond("401 Unauthorized", "", "").await;
        assert!(rig.message().await["error"]["message"].as_str().unwrap().contains(expected), "{id}");
    }
    web.got_nothing();
    assert_eq!(*rejections.lock().unwrap(), ["t0", "t1", "t1"]);
}

#[test]
fn a_server_that_is_not_safe_is_rejected() {
    for (url, expected) in [
        ("example.com/mcp", "the URL is not valid"),
        ("ftp://example.com", "has to begin with"),
        ("https://user@example.com", "a user name or a password"),
        ("https://:s3cret@example.com", "a user name or a password"),
    ] {
        let error = HttpUpstream::new(url).unwrap_err().to_string();
        assert!(error.contains(expected) && !error.contains("s3cret"), "{error}");
    }
    let server = || HttpUpstream::new("https://example.com/mcp?key=s3cret").unwrap();
    assert!(!format!("{:?}", server().bearer("s3cret").unwrap()).contains("s3cret"));
    for (name, value) in [("Mcp-Session-Id", "1"), ("Accept", "a"), ("Content-Type", "a"), ("a b", "1"), ("a", "1\n")] {
        assert!(server().header(name, value).is_err(), "{name}");
    }
    assert!(server().root_certificates(b"-----BEGIN").is_err());
}

#[tokio::test]
async fn a_secret_is_not_sent_without_encryption() {
    let servers: [HttpUpstream; 2] = [
        HttpUpstream::new("http://192.0.2.1/mcp").unwrap().bearer("a").unwrap(),
        HttpUpstream::new("http://192.0.2.1/mcp").unwrap().bearer_with(|_| std::future::ready(Ok(String::new()))),
    ];
    for server in servers {
        let proxy = Proxy::builder().build().unwrap();
        let (near, _far) = duplex(64);
        let error = proxy.serve(split(near), server, std::future::pending()).await.unwrap_err();
        assert!(error.to_string().contains("only sent over `https`"), "{error}");
    }
}
