//! Sessions that the server ends, and servers that go away and come back.

use super::*;

/// The server has not run the call, so it can be sent once more.
#[tokio::test]
async fn a_session_that_the_server_has_ended_is_begun_again() {
    let mut web = Web::new().await;
    let mut rig = Rig::new(web.server());
    rig.begin(&mut web).await;
    for id in 1..=3 {
        rig.call(id, json!({"a": id})).await;
    }
    for _ in 1..=3 {
        let request = web.call("tools/call").await;
        assert_eq!(request.header("mcp-session-id"), Some("one"));
        request.respond("404 Not Found", "", "").await;
    }
    let request = web.call("initialize").await;
    assert_eq!((request.header("mcp-session-id"), request.header("mcp-protocol-version")), (None, None));
    // A call that comes now waits too.
    rig.call(4, json!({"a": 4})).await;
    let late = web.call("tools/call").await;
    assert_eq!(late.header("mcp-session-id"), Some("one"));
    late.respond("404 Not Found", "", "").await;
    let body = json!({"jsonrpc": "2.0", "id": request.body["id"], "result": greeting()});
    let mut stream = request.stream().await;
    // A server without sessions is as good.
    stream.write_all(format!("data:\n\ndata: {body}\n\n").as_bytes()).await.unwrap();
    web.call("notifications/initialized").await.accept().await;
    assert_eq!(rig.message().await["method"], "notifications/tools/list_changed");
    for _ in 1..=4 {
        let request = web.call("tools/call").await;
        assert_eq!(request.header("mcp-protocol-version"), Some("2025-11-25"));
        let text = request.body["params"]["arguments"]["a"].to_string();
        request.text(&text).await;
    }
    for _ in 1..=4 {
        let answer = rig.message().await;
        assert_eq!(answer["result"]["content"][0]["text"], answer["id"].to_string());
    }
    assert!(rig.remarks().contains(&"the server has ended the session, so another one was begun".to_owned()));
}

/// The stream of messages that belong to no request is not given up because of one answer, and another session does not get the id of an event of
/// the session before.
#[tokio::test]
async fn messages_are_read_on_in_another_session() {
    let mut web = Web::new().await;
    let mut rig = Rig::new(web.server());
    rig.initialize().await;
    let request = web.call("initialize").await;
    let body = json!({"jsonrpc": "2.0", "id": request.body["id"], "result": greeting()}).to_string();
    request.respond("200 OK", "Content-Type: application/json\r\nMcp-Session-Id: one\r\n", &body).await;
    rig.message().await;
    rig.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    web.call("notifications/initialized").await.accept().await;
    web.request().await.respond("429 Too Many Requests", "", "").await;
    let mut stream = web.request().await.stream().await;
    let question = json!({"jsonrpc": "2.0", "id": "q", "method": "roots/list"});
    stream.write_all(format!("id: 7\ndata: {question}\n\n").as_bytes()).await.unwrap();
    assert_eq!(rig.message().await, question);
    rig.send(json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})).await;
    web.call("ping").await.respond("404 Not Found", "", "").await;
    let request = web.call("initialize").await;
    let body = json!({"jsonrpc": "2.0", "id": request.body["id"], "result": greeting()}).to_string();
    request.respond("200 OK", "Content-Type: application/json\r\nMcp-Session-Id: two\r\n", &body).await;
    web.call("notifications/initialized").await.accept().await;
    web.call("ping").await.result(&json!({})).await;
    drop(stream);
    let listening = web.request().await;
    assert_eq!((listening.method.as_str(), listening.header("mcp-session-id")), ("GET", Some("two")));
    assert_eq!(listening.header("last-event-id"), None);
}

#[tokio::test]
async fn a_session_that_cannot_be_begun_again_is_an_error() {
    for version in ["2025-06-18", ""] {
        let mut web = Web::new().await;
        let mut rig = Rig::new(web.server());
        rig.begin(&mut web).await;
        rig.call(1, json!({"a": 1})).await;
        web.call("tools/call").await.respond("404 Not Found", "", "").await;
        let request = web.call("initialize").await;
        if version.is_empty() {
            request.respond("503 Service Unavailable", "", "").await;
        } else {
            let mut greeting = greeting();
            greeting["protocolVersion"] = version.into();
            request.result(&greeting).await;
        }
        let (text, is_error) = rig.answer(1).await;
        assert!(is_error && text.contains("The MCP server at http://127.0.0.1"), "{text}");
        web.got_nothing();
    }
}

#[tokio::test]
async fn a_call_waits_while_a_server_is_started_again() {
    let mut web = Web::new().await;
    let (address, mut rig) = (web.address, Rig::new(web.server()));
    rig.begin(&mut web).await;
    drop(web);
    rig.call(1, json!({"a": 1})).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let mut web = Web::at(TcpListener::bind(address).await.unwrap());
    web.call("tools/call").await.text("1").await;
    assert_eq!(rig.answer(1).await, ("1".to_owned(), false));
    // If that takes too long, nothing was sent.
    drop(web);
    rig.call(2, json!({"a": 2})).await;
    let (text, is_error) = rig.answer(2).await;
    assert!(is_error && text.contains("cannot be reached: Connection refused"), "{text}");
    assert!(text.contains("The call was not run.") && !text.contains("s3cret"), "{text}");
}

/// One of several servers is away at first. The others are used, and it joins them later.
#[tokio::test]
async fn a_server_joins_the_others_when_it_can_be_reached() {
    let (mut web, away) = (Web::new().await, TcpListener::bind("127.0.0.1:0").await.unwrap());
    let address = away.local_addr().unwrap();
    drop(away);
    let servers = Servers::new()
        .add("here", web.server())
        .add("away", HttpUpstream::new(&format!("http://{address}/mcp")).unwrap());
    let mut rig = Rig::new(servers);
    rig.initialize().await;
    web.call("initialize").await.result(&greeting()).await;
    assert_eq!(rig.message().await["result"]["serverInfo"]["name"], "toolbox-proxy");
    rig.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    web.call("notifications/initialized").await.accept().await;
    web.request().await.respond("405 Method Not Allowed", "", "").await;
    let mut other = Web::at(TcpListener::bind(address).await.unwrap());
    let mut greeting = greeting();
    greeting["capabilities"] = json!({"tools": {"listChanged": true}});
    other.call("initialize").await.result(&greeting).await;
    other.call("notifications/initialized").await.accept().await;
    other.request().await.respond("405 Method Not Allowed", "", "").await;
    assert_eq!(rig.message().await["method"], "notifications/tools/list_changed");
    rig.send(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).await;
    web.call("tools/list").await.result(&tools()).await;
    other.call("tools/list").await.result(&tools()).await;
    let names = rig.message().await["result"]["tools"].clone();
    assert_eq!((&names[0]["name"], &names[1]["name"]), (&json!("here_add"), &json!("away_add")));
}
