//! The transport of protocol version 2024-11-05: one stream of events, whose first one names the URL for messages.

use super::*;

/// Answers the first `initialize`, and begins the stream. Returns it with the URL for messages.
async fn begin(web: &mut Web, endpoint: &str) -> TcpStream {
    web.call("initialize").await.respond("405 Method Not Allowed", "", "").await;
    let request = web.request().await;
    assert_eq!((request.method.as_str(), request.header("accept")), ("GET", Some("text/event-stream")));
    let mut stream = request.stream().await;
    stream.write_all(format!("event: endpoint\r\ndata: {endpoint}\r\n\r\n").as_bytes()).await.unwrap();
    stream
}

async fn event(stream: &mut TcpStream, message: &Value) {
    stream.write_all(format!("event: message\r\ndata: {message}\r\n\r\n").as_bytes()).await.unwrap();
}

#[tokio::test]
async fn messages_go_to_the_url_that_the_stream_names() {
    let mut web = Web::new().await;
    let mut rig = Rig::new(web.server());
    rig.initialize().await;
    let mut stream = begin(&mut web, "/messages?session=1").await;
    let request = web.call("initialize").await;
    assert!(request.head.starts_with("POST /messages?session=1 "), "{}", request.head);
    request.accept().await;
    event(&mut stream, &json!({"jsonrpc": "2.0", "id": 0, "result": greeting()})).await;
    rig.message().await;
    rig.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    web.call("notifications/initialized").await.accept().await;
    rig.call(1, json!({"a": "1"})).await;
    let list = web.call("tools/list").await;
    let listed = json!({"jsonrpc": "2.0", "id": list.body["id"], "result": tools()});
    list.accept().await;
    event(&mut stream, &listed).await;
    let call = web.call("tools/call").await;
    assert_eq!(call.body["params"]["arguments"], json!({"a": 1}));
    call.accept().await;
    // The end of the stream is the end of the server, which is used again after a handshake.
    drop(stream);
    let (text, is_error) = rig.answer(1).await;
    assert!(is_error && text.contains("may or may not have taken effect"), "{text}");
    let mut stream = begin(&mut web, "messages2").await;
    let request = web.call("initialize").await;
    assert!(request.head.starts_with("POST /messages2 "), "{}", request.head);
    let greeting = json!({"jsonrpc": "2.0", "id": request.body["id"], "result": greeting()});
    request.accept().await;
    event(&mut stream, &greeting).await;
    web.call("notifications/initialized").await.accept().await;
    rig.send(json!({"jsonrpc": "2.0", "id": 2, "method": "ping"})).await;
    let ping = web.call("ping").await;
    ping.accept().await;
    let answer = json!({"jsonrpc": "2.0", "id": 2, "result": {}});
    event(&mut stream, &answer).await;
    assert_eq!(rig.message().await, answer);
}

#[tokio::test]
async fn messages_do_not_go_to_another_origin() {
    let (mut web, mut other) = (Web::new().await, Web::new().await);
    let mut rig = Rig::new(web.server().bearer("t0ken").unwrap());
    rig.initialize().await;
    let _stream = begin(&mut web, &other.url()).await;
    // A server of a later revision would know this method.
    web.call("server/discover").await.respond("405 Method Not Allowed", "", "").await;
    let error = rig.message().await["error"]["message"].as_str().unwrap().to_owned();
    assert!(error.contains("answered with the status 405"), "{error}");
    assert!(rig.remarks().contains(&"its URL for messages belongs to another origin".to_owned()));
    other.got_nothing();
}
