//! Servers that break off, reject, redirect, or send too much.

use super::*;

/// Each wrong response to a call becomes an answer that says whether the call may have been run.
#[tokio::test]
async fn every_call_is_answered() {
    let mut web = Web::new().await;
    let mut rig = Rig::with(web.server(), ProxyBuilder::no_throttle);
    rig.begin(&mut web).await;
    let json = "Content-Type: application/json\r\n";
    let error = r#"{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Bad Request: no header"}}"#;
    let unsent = "The call was not run.";
    let unknown = "The call may have taken effect.";
    for (id, (status, headers, body, expected, effect)) in (1..).zip([
        ("401 Unauthorized", "WWW-Authenticate: Bearer\r\n", "", "without a valid token (status 401)", unsent),
        ("403 Forbidden", "", "", "does not allow this request (status 403)", unsent),
        ("429 Too Many Requests", "Retry-After: 7\r\n", "", "try again in 7 s (status 429)", unsent),
        ("302 Found", "Location: /other\r\n", "", "redirects to another address", unsent),
        ("400 Bad Request", json, error, "answered with the status 400: Bad Request: no header", unsent),
        ("400 Bad Request", json, r#"{"id":null,"error":{"message":"x"}}"#, "answered with the status 400: x", unsent),
        ("400 Bad Request", "Content-Type: text/html\r\n", "<h1>", "answered with the status 400", unsent),
        ("500 Internal Server Error", "", "", "answered with the status 500", unknown),
        ("502 Bad Gateway", json, "{}", "answered with the status 502", unknown),
        ("408 Request Timeout", "", "", "answered with the status 408", unknown),
        ("202 Accepted", "", "", "accepted the request, but did not answer it", unknown),
        ("200 OK", "Content-Type: text/html\r\n", "<h1>", "answered with something else than a response", unknown),
        ("200 OK", json, "[]", "answered with something else than a response", unknown),
        ("200 OK", json, r#"{"jsonrpc":"2.0","id":9999,"result":{}}"#, "something else than a response", unknown),
        ("200 OK", json, "{", "something else than a response", unknown),
        ("200 OK", "Content-Type: text/event-stream\r\n", "data: x\n\n", "ended the stream before the answer", unknown),
    ]) {
        rig.call(id, json!({"a": id})).await;
        web.call("tools/call").await.respond(status, headers, body).await;
        let (text, is_error) = rig.answer(id).await;
        assert!(is_error && text.contains(expected) && text.contains(effect), "{status}: {text}");
        assert!(!text.contains("s3cret"), "{text}");
    }
    web.got_nothing();
}

#[tokio::test]
async fn a_call_is_not_sent_twice() {
    let mut web = Web::new().await;
    let mut rig = Rig::new(web.server());
    rig.begin(&mut web).await;
    for (id, begun) in (1..).zip([
        "",
        "HTTP/1.1 200",
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"jsonrpc\"",
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":",
    ]) {
        rig.call(id, json!({"a": id})).await;
        let mut request = web.call("tools/call").await;
        request.stream.write_all(begun.as_bytes()).await.unwrap();
        drop(request);
        let (text, is_error) = rig.answer(id).await;
        assert!(is_error && text.contains("The call may have taken effect."), "{begun}: {text}");
        web.got_nothing();
    }
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_read_on() {
    let mut web = Web::new().await;
    let mut rig = Rig::new(web.server());
    rig.begin(&mut web).await;
    rig.call(1, json!({"a": 1})).await;
    let mut stream = web.call("tools/call").await.stream().await;
    stream.write_all(b"id: 1-0\nretry: 10\ndata:\n\n").await.unwrap();
    drop(stream);
    // The server is away for a moment.
    let away = web.request().await;
    assert_eq!((away.method.as_str(), away.header("last-event-id")), ("GET", Some("1-0")));
    away.respond("503 Service Unavailable", "", "").await;
    let mut again = web.request().await;
    assert_eq!(again.header("mcp-session-id"), Some("one"));
    let answer = json!({"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "1"}]}});
    again.head.clear();
    let mut stream = again.stream().await;
    stream.write_all(format!("id: 1-1\ndata: {answer}\n\n").as_bytes()).await.unwrap();
    assert_eq!(rig.answer(1).await, ("1".to_owned(), false));
}

#[tokio::test]
async fn a_redirect_is_only_followed_within_the_origin() {
    let (mut web, mut other) = (Web::new().await, Web::new().await);
    let mut rig = Rig::new(web.server().bearer("t0ken").unwrap());
    rig.begin(&mut web).await;
    rig.call(1, json!({"a": 1})).await;
    web.call("tools/call").await.respond("307 Temporary Redirect", "Location: /mcp/\r\n", "").await;
    let followed = web.call("tools/call").await;
    assert!(followed.head.starts_with("POST /mcp/ "), "{}", followed.head);
    followed.text("1").await;
    assert_eq!(rig.answer(1).await.0, "1");
    rig.call(2, json!({"a": 2})).await;
    let location = format!("Location: {}\r\n", other.url());
    web.call("tools/call").await.respond("307 Temporary Redirect", &location, "").await;
    let (text, is_error) = rig.answer(2).await;
    assert!(is_error && text.contains("redirects to another address") && text.contains("not run"), "{text}");
    other.got_nothing();
}

/// Sends the same bytes without end, as a body of each type.
#[tokio::test]
async fn an_answer_without_end_is_given_up() {
    let mut web = Web::new().await;
    let mut rig = Rig::new(web.server());
    rig.begin(&mut web).await;
    for (id, (kind, beginning)) in (1..).zip([
        ("application/json", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\""),
        ("text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\""),
    ]) {
        rig.call(id, json!({"a": id})).await;
        let mut request = web.call("tools/call").await;
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n{beginning}");
        request.stream.write_all(head.as_bytes()).await.unwrap();
        let bytes = vec![b'x'; 1 << 16];
        let sending = async { while request.stream.write_all(&bytes).await.is_ok() {} };
        let (text, ()) = tokio::join!(rig.answer(id), within(sending));
        assert!(text.1 && text.0.contains("The message has more than 100000 bytes."), "{}", text.0);
    }
}

#[tokio::test]
async fn a_call_that_takes_too_long_is_cancelled() {
    let mut web = Web::new().await;
    let mut rig = Rig::with(web.server(), |proxy| proxy.time_limit(Duration::from_millis(50)));
    rig.begin(&mut web).await;
    rig.call(1, json!({"a": 1})).await;
    let call = web.call("tools/call").await;
    let (text, is_error) = rig.answer(1).await;
    assert!(is_error && text.contains("has not answered within"), "{text}");
    let cancelled = web.call("notifications/cancelled").await;
    assert_eq!(cancelled.body["params"]["requestId"], 1);
    cancelled.accept().await;
    call.text("1").await;
}

/// The proxy ends at once, although the server does not answer the request that ends the session.
#[tokio::test]
async fn the_proxy_can_be_stopped() {
    let mut web = Web::new().await;
    let mut rig = Rig::new(web.server());
    rig.begin(&mut web).await;
    rig.call(1, json!({"a": 1})).await;
    let _call = web.call("tools/call").await;
    drop(rig.stop.take());
    let (text, is_error) = rig.answer(1).await;
    assert!(is_error && text.contains("may or may not have taken effect"), "{text}");
    let last = web.request().await;
    assert_eq!(last.method, "DELETE");
    assert_eq!(within(rig.task).await.unwrap().unwrap(), ProxyEnd::Stopped);
    assert_eq!(rig.proxy.report().tools["add"].calls, 1);
}
