//! Requests of protocol version 2026-07-28, which belong to no session.

use super::*;

#[tokio::test]
async fn requests_with_the_same_id_and_token_get_their_own_answers() {
    let mut rig = Rig::new().await;
    let address = rig.address;
    let ask = |query: u64| {
        let params = json!({"name": "search", "arguments": {"query": query}, "_meta": {"progressToken": "p"}});
        async move { post_modern(address, &json!("same"), "tools/call", params).await }
    };
    let serve = async {
        let mut server = rig.server().await;
        server.list().await;
        let (one, two) = (server.message().await, server.message().await);
        assert_ne!(one["id"], two["id"]);
        for call in [&two, &one] {
            let query = call["params"]["arguments"]["query"].to_string();
            let params =
                json!({"progressToken": call["params"]["_meta"]["progressToken"], "progress": 1, "message": query});
            server.send(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})).await;
            server.answer(call, &format!("answer {query}")).await;
        }
        server
    };
    let (one, two, _server) = tokio::join!(ask(1), ask(2), serve);
    for (reply, query) in [(one, 1), (two, 2)] {
        let answer = reply.json();
        assert_eq!(
            (&answer["id"], &answer["result"]["content"][0]["text"]),
            (&json!("same"), &json!(format!("answer {query}")))
        );
        let progress = format!(r#""message":"{query}","progress":1,"progressToken":"p""#);
        let sorted = format!(r#"{{"progressToken":"p","progress":1,"message":"{query}"}}"#);
        assert!(reply.body.contains(&progress) || reply.body.contains(&sorted), "{}", reply.body);
    }
    rig.end().await;
}

#[tokio::test]
async fn the_requests_of_a_user_share_a_server_and_a_throttle() {
    let identify = |token: &str| token.strip_prefix("secret-of-").map(str::to_owned);
    let mut rig = Rig::with(|proxy| proxy.verify_bearer(identify)).await;
    let address = rig.address;
    let (headers, body) = modern(&json!(1), "tools/call", json!({"name": "search", "arguments": {"query": 1}}));
    let mut servers = Vec::new();
    for user in ["ada", "bob"] {
        let token = format!("Bearer secret-of-{user}");
        let headers = [borrowed(&headers), vec![("Authorization", &*token)]].concat();
        for call in 0..4 {
            let serve = async {
                if call == 0 {
                    servers.push(rig.server().await);
                    servers.last_mut().unwrap().list().await;
                }
                if call < 3 {
                    let server = servers.last_mut().unwrap();
                    let call = server.message().await;
                    assert!(!call.to_string().contains("secret"), "{call}");
                    server.answer(&call, "the same").await;
                }
            };
            let (reply, ()) = tokio::join!(post(address, &headers, &body), serve);
            assert_eq!(reply.json()["result"]["isError"] == true, call == 3, "{user} {call}: {}", reply.body);
        }
    }
    assert_eq!(rig.proxy.report().tools["search"].throttled, 2);
    assert!(!format!("{:?} {:?}", rig.remarks(), rig.proxy).contains("secret"));
    rig.end().await;
}

#[tokio::test]
async fn headers_that_do_not_fit_the_message_are_rejected() {
    let mut rig = Rig::new().await;
    let address = rig.address;
    let (headers, body) = modern(&json!(1), "tools/call", json!({"name": "deploy", "arguments": {"region": "über"}}));
    let region = ("Mcp-Param-Region", "=?base64?w7xiZXI=?=");
    let right = [borrowed(&headers), vec![region]].concat();
    let without = |name: &str| right.iter().copied().filter(|(other, _)| *other != name).collect::<Vec<_>>();
    let with = |name: &'static str, value: &'static str| [without(name), vec![(name, value)]].concat();
    let rejected = [
        with("MCP-Protocol-Version", "2026-07-29"),
        without("MCP-Protocol-Version"),
        with("Mcp-Method", "tools/list"),
        without("Mcp-Method"),
        with("Mcp-Name", "search"),
        with("Mcp-Name", "=?base64?deploy?="),
        without("Mcp-Name"),
        [right.clone(), vec![("Mcp-Method", "tools/call")]].concat(),
        with("Mcp-Param-Region", "eu"),
        with("Mcp-Param-Region", "=?base64?w7x?="),
        without("Mcp-Param-Region"),
    ];
    let serve = async {
        let mut server = rig.server().await;
        server.list().await;
        let call = server.message().await;
        assert_eq!(call["params"]["arguments"]["region"], "über", "only the right request reaches the server");
        server.answer(&call, "done").await;
        server
    };
    let ask = async {
        for headers in rejected {
            let reply = within(post(address, &headers, &body)).await;
            assert_eq!((reply.status, &reply.json()["error"]["code"]), (400, &json!(-32_020)), "{headers:?}");
        }
        let reply = within(post(address, &right, &body)).await;
        assert_eq!(reply.json()["result"]["content"][0]["text"], "done");
        let (headers, body) = modern(&json!(2), "tools/call", json!({"name": "deploy", "arguments": {}}));
        let reply = within(post(address, &[borrowed(&headers), vec![region]].concat(), &body)).await;
        assert_eq!(reply.status, 400, "a header without an argument");
    };
    let (_server, ()) = tokio::join!(serve, ask);
    let incomplete = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}"#;
    let reply = post(address, &[("MCP-Protocol-Version", "2026-07-28")], incomplete).await;
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (400, &json!(-32_602)));
    rig.end().await;
}

#[tokio::test]
async fn a_request_is_cancelled_if_its_client_disconnects() {
    let mut rig = Rig::new().await;
    let (headers, body) = modern(&json!("a"), "prompts/list", json!({}));
    let open = Open::new(rig.address, "POST", &borrowed(&headers), &body).await;
    let mut server = rig.server().await;
    let request = server.message().await;
    drop(open);
    let cancelled = server.message().await;
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], request["id"]);
    // A late answer has no receiver.
    server.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {}})).await;
    server.send(&json!({"jsonrpc": "2.0", "id": "q", "method": "roots/list"})).await;
    let answer = server.message().await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("q"), &json!(-32_601)));
    rig.end().await;
}

#[tokio::test]
async fn a_subscription_gets_its_notifications_until_the_proxy_ends() {
    let mut rig = Rig::new().await;
    let (headers, body) = modern(&json!("mine"), "subscriptions/listen", json!({"notifications": {}}));
    let mut open = Open::new(rig.address, "POST", &borrowed(&headers), &body).await;
    let mut server = rig.server().await;
    server.discover().await;
    let request = server.message().await;
    let notification = |method: &str, id: &Value| {
        let meta = json!({"io.modelcontextprotocol/subscriptionId": id});
        json!({"jsonrpc": "2.0", "method": method, "params": {"_meta": meta}})
    };
    server.send(&notification("notifications/subscriptions/acknowledged", &request["id"])).await;
    server.send(&notification("notifications/prompts/list_changed", &json!(99))).await;
    server.send(&notification("notifications/tools/list_changed", &request["id"])).await;
    let text = open.until("tools/list_changed").await;
    assert!(!text.contains("prompts"), "{text}");
    assert_eq!(text.matches(r#""io.modelcontextprotocol/subscriptionId":"mine""#).count(), 2, "{text}");
    rig.end().await;
}

#[tokio::test]
async fn errors_have_the_status_that_the_protocol_demands() {
    let mut rig = Rig::new().await;
    let address = rig.address;
    let mut server: Option<Toy> = None;
    let id = json!(1);
    for (code, status) in [(-32_601, 404), (-32_022, 400), (-32_021, 400), (-32_602, 200), (-32_000, 200)] {
        let serve = async {
            if server.is_none() {
                server = Some(rig.server().await);
            }
            let server = server.as_mut().unwrap();
            let request = server.message().await;
            let error = json!({"code": code, "message": "m"});
            server.send(&json!({"jsonrpc": "2.0", "id": request["id"], "error": error})).await;
            if code == -32_601 {
                // A server of an earlier protocol version could have sent the first error too.
                server.discover().await;
            }
        };
        let (reply, ()) = tokio::join!(post_modern(address, &id, "prompts/list", json!({})), serve);
        assert_eq!((reply.status, &reply.json()["error"]["code"]), (status, &json!(code)));
    }
    for (method, status) in [("GET", 405), ("DELETE", 405)] {
        let text = format!(
            "{method} /mcp HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nAccept: text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\r\n"
        );
        assert_eq!(within(crate::exchange::exchange(address, &text)).await.status, status, "{method}");
    }
    rig.end().await;
}

/// Requests of protocol version 2026-07-28 share a process, and each session has one of its own.
#[tokio::test]
async fn a_handshake_that_is_translated_does_not_concern_other_clients() {
    let mut rig = Rig::new().await;
    let address = rig.address;
    let (one, two) = (json!(1), json!(2));
    let list = post_modern(address, &one, "tools/list", json!({}));
    let serve = async {
        let mut server = rig.server().await;
        server.list().await;
        server
    };
    let (reply, mut server) = tokio::join!(list, serve);
    assert_eq!(reply.json()["result"]["resultType"], "complete");
    let initialize = initialize();
    let begin = post(address, &[], &initialize);
    let serve = async {
        let mut server = rig.server().await;
        let request = server.message().await;
        let error = json!({"code": -32601, "message": "Method not found"});
        server.send(&json!({"jsonrpc": "2.0", "id": request["id"], "error": error})).await;
        server.discover().await;
        server
    };
    let (reply, _other) = tokio::join!(begin, serve);
    assert!(reply.body.contains(r#""protocolVersion":"2025-"#), "{}", reply.body);
    let call = post_modern(address, &two, "tools/call", json!({"name": "search", "arguments": {"query": 1}}));
    let serve = async {
        let call = server.message().await;
        assert_eq!(call["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
        server.answer(&call, "done").await;
    };
    let (reply, ()) = tokio::join!(call, serve);
    assert_eq!(reply.json()["result"]["content"][0]["text"], "done");
    rig.end().await;
}
