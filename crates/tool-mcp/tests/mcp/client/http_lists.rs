//! Lists of tools over HTTP: definitions that rmcp drops are reported, and parameters travel in headers.

use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Value, json};
use tool_mcp::client::{ConnectError, Endpoint, connect};
use tool_runtime::clock::SimulatedClock;
use tool_runtime::failure::FailureKind;

use super::loopback::{loopback, modern, status};
use super::script::{act, session, tool};

const EVENTS: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";

fn with_header(name: &str, header: Value) -> Value {
    let region = json!({"type": "string", "x-mcp-header": header});
    json!({"name": name, "inputSchema": {"type": "object", "properties": {"region": region}}})
}

#[tokio::test]
async fn a_bad_header_is_reported_and_does_not_affect_other_tools() {
    let bad = [with_header("first", json!("a b")), with_header("second", json!(5))];
    let tools = [bad[0].clone(), with_header("act", json!("Region")), bad[1].clone(), with_header("act", json!(""))];
    let invalid = json!({"name": "no_schema"});
    let reasons = [
        ("first", "region: `x-mcp-header` \"a b\" is not the name of a header"),
        ("second", "region: `x-mcp-header` is not a string"),
        ("act", "region: `x-mcp-header` \"\" is not the name of a header"),
        ("no_schema", "the definition is not valid: missing field `inputSchema`"),
    ];
    for (is_event, has_invalid) in [(false, false), (false, true), (true, false), (true, true)] {
        let tools: Vec<_> = tools.iter().chain(has_invalid.then_some(&invalid)).cloned().collect();
        let list = json!({"resultType": "complete", "tools": tools, "ttlMs": 60_000, "cacheScope": "private"});
        let (origin, requests) = loopback(move |request| modern(request, &list, is_event)).await;
        let server = connect("files", Endpoint::http(format!("{origin}/mcp"))).await.unwrap();
        assert_eq!(server.protocol_version().as_deref(), Some("2026-07-28"));

        let left_out = server.skipped_tools();
        let found: Vec<_> = left_out.iter().map(|left| (&*left.name, &*left.reason)).collect();
        assert_eq!(found, reasons[..if has_invalid { 4 } else { 3 }]);
        assert_eq!(server.tools().len(), 1);

        // The transport sends the header of the remaining tool, even if the list also contains invalid tools.
        let outcome = session(&server).call("call_1", "files__act", r#"{"region": "eu"}"#).await;
        assert_eq!(outcome.to_text(), "done");
        let requests = requests.lock().unwrap();
        let call = requests.iter().find(|request| request.message["method"] == "tools/call").unwrap();
        assert!(call.head.contains("mcp-param-region: eu"), "{}", call.head);
    }
}

/// The list arrives on a second stream, because the first one ends too early.
#[tokio::test]
async fn a_bad_header_of_a_list_that_was_resumed_is_reported() {
    let list = json!({"resultType": "complete", "tools": [with_header("first", json!("a b")), tool("act")], "ttlMs": 0, "cacheScope": "private"});
    let asked = Mutex::new(Value::Null);
    let (origin, requests) = loopback(move |request| {
        if request.head.starts_with("get ") {
            let message = json!({"jsonrpc": "2.0", "id": *asked.lock().unwrap(), "result": list});
            let other =
                json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": 1}});
            return format!("{EVENTS}data: {other}\n\nid: 2\ndata: {message}\n\n");
        }
        if request.message["method"] == "tools/list" {
            *asked.lock().unwrap() = request.message["id"].clone();
            return format!("{EVENTS}id: 1\nretry: 1\ndata:\n\n");
        }
        modern(request, &list, false)
    })
    .await;
    let server = connect("files", Endpoint::http(origin)).await.unwrap();
    let left_out = server.skipped_tools();
    let found: Vec<_> = left_out.iter().map(|left| (&*left.name, &*left.reason)).collect();
    assert_eq!(found, [("first", "region: `x-mcp-header` \"a b\" is not the name of a header")]);
    assert_eq!(act(&session(&server)).await.to_text(), "done");
    assert!(requests.lock().unwrap().iter().any(|request| request.head.contains("last-event-id: 1")));
}

#[tokio::test]
async fn headers_do_not_matter_to_a_server_of_an_earlier_revision() {
    let list = json!({"tools": [with_header("act", json!("a b"))]});
    let (origin, _) = loopback(move |request| match request.message["method"].as_str() {
        Some("initialize") => {
            let server = json!({"name": "x", "version": "1"});
            let result = json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": server});
            request.respond(&result, false)
        }
        Some("notifications/initialized") => status("202 Accepted"),
        _ => modern(request, &list, false),
    })
    .await;
    let server = connect("files", Endpoint::http(origin)).legacy().await.unwrap();
    assert_eq!((server.tools().len(), server.skipped_tools()), (1, vec![]));
}

/// A token must not reach another server, and a redirect must not turn a call into another request.
#[tokio::test]
async fn redirects_to_another_server_are_not_followed() {
    let list = json!({"resultType": "complete", "tools": [tool("act")], "ttlMs": 0, "cacheScope": "private"});
    for code in ["301 Moved Permanently", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
        let (other, followed) = loopback(|_| status("200 OK")).await;
        let list = list.clone();
        let (origin, _) = loopback(move |request| match request.message["method"].as_str() {
            Some("tools/call") => status(&format!("{code}\r\nLocation: {other}/mcp")),
            _ => modern(request, &list, false),
        })
        .await;
        let server = connect("files", Endpoint::http(origin)).await.unwrap();
        let outcome = act(&session(&server)).await;
        assert!(!outcome.is_ok(), "{}", outcome.to_text());
        assert_eq!(followed.lock().unwrap().len(), 0, "{code}");
    }
}

#[tokio::test]
async fn redirects_within_a_server_are_followed() {
    let list = json!({"resultType": "complete", "tools": [tool("act")], "ttlMs": 0, "cacheScope": "private"});
    let (origin, _) = loopback(move |request| {
        let is_moved = request.head.starts_with("post /old ");
        if is_moved { status("308 Permanent Redirect\r\nLocation: /new") } else { modern(request, &list, false) }
    })
    .await;
    let server = connect("files", Endpoint::http(format!("{origin}/old"))).await.unwrap();
    assert_eq!(act(&session(&server)).await.to_text(), "done");
}

#[tokio::test]
async fn a_missing_authorization_is_an_error_and_the_next_call_works() {
    use std::sync::atomic::{AtomicUsize, Ordering};

    for code in ["401 Unauthorized\r\nWWW-Authenticate: Bearer", "403 Forbidden", "401 Unauthorized"] {
        let list = json!({"resultType": "complete", "tools": [tool("act")], "ttlMs": 0, "cacheScope": "private"});
        let calls = AtomicUsize::new(0);
        let (origin, _) = loopback(move |request| match request.message["method"].as_str() {
            Some("tools/call") if calls.fetch_add(1, Ordering::SeqCst) == 0 => status(code),
            _ => modern(request, &list, false),
        })
        .await;
        let session = session(&connect("files", Endpoint::http(origin)).await.unwrap());
        let outcome = act(&session).await;
        let failure = outcome.failure().unwrap();
        assert_eq!(failure.kind(), FailureKind::DomainRejection, "{}", outcome.to_text());
        assert!(outcome.to_text().contains(&format!("answered with the HTTP status {}", &code[..3])));
        assert_eq!(act(&session).await.to_text(), "done");
    }
}

/// A host needs the challenge to obtain a token.
#[tokio::test]
async fn a_connection_without_authorization_fails_with_the_challenge() {
    let challenge = "Bearer resource_metadata=\"https://example.com/x\", scope=\"files\"";
    for code in ["401 Unauthorized", "403 Forbidden"] {
        for method in ["server/discover", "tools/list"] {
            let list = json!({"resultType": "complete", "tools": [tool("act")], "ttlMs": 0, "cacheScope": "private"});
            let rejected = format!("{code}\r\nWWW-Authenticate: {challenge}");
            let (origin, _) = loopback(move |request| {
                let is_rejected = [method, "initialize"].iter().any(|rejected| request.message["method"] == *rejected);
                if is_rejected { status(&rejected) } else { modern(request, &list, false) }
            })
            .await;
            match connect("files", Endpoint::http(origin)).await {
                Err(ConnectError::Unauthorized { challenge: found }) => assert_eq!(found, challenge),
                other => panic!("{code} of {method}: {other:?}"),
            }
        }
    }
    // Without a challenge, a host can only show the status.
    let (origin, _) = loopback(|_| status("401 Unauthorized")).await;
    let error = connect("files", Endpoint::http(origin)).await.unwrap_err();
    assert!(error.to_string().contains("401"), "{error}");
}

#[tokio::test]
async fn an_http_client_of_the_host_is_used() {
    let list = json!({"resultType": "complete", "tools": [tool("act")], "ttlMs": 0, "cacheScope": "private"});
    let (origin, requests) = loopback(move |request| modern(request, &list, false)).await;
    let client = reqwest::Client::builder().user_agent("the-host").build().unwrap();
    let config = rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig::with_uri(origin);
    let server = connect("files", Endpoint::http_with_client(client, config)).await.unwrap();
    assert_eq!(act(&session(&server)).await.to_text(), "done");
    let requests = requests.lock().unwrap();
    assert!(!requests.is_empty() && requests.iter().all(|request| request.head.contains("user-agent: the-host")));
}

/// Finds the loopback address for every name, except for the first time.
#[derive(Default)]
struct Starting(std::sync::atomic::AtomicBool);

impl reqwest::dns::Resolve for Starting {
    fn resolve(&self, _: reqwest::dns::Name) -> reqwest::dns::Resolving {
        let has_started = self.0.swap(true, std::sync::atomic::Ordering::SeqCst);
        Box::pin(async move {
            let address = std::net::SocketAddr::from(([127, 0, 0, 1], 0));
            let addresses: reqwest::dns::Addrs = Box::new(std::iter::once(address));
            has_started.then_some(addresses).ok_or_else(|| "the server is starting".into())
        })
    }
}

#[tokio::test]
async fn a_server_that_cannot_be_reached_is_not_taken_for_one_of_an_earlier_revision() {
    let list = json!({"resultType": "complete", "tools": [tool("act")], "ttlMs": 0, "cacheScope": "private"});
    let (origin, requests) = loopback(move |request| modern(request, &list, false)).await;
    let client = reqwest::Client::builder().dns_resolver(std::sync::Arc::new(Starting::default())).build().unwrap();
    let url = origin.replace("127.0.0.1", "server.test");
    let connect = || {
        let config = rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig::with_uri(&*url);
        connect("files", Endpoint::http_with_client(client.clone(), config))
    };
    let error = connect().await.unwrap_err();
    assert!(error.to_string().contains("server.test"), "{error}");
    assert!(requests.lock().unwrap().is_empty(), "nothing is known about the server");
    assert_eq!(connect().await.unwrap().protocol_version().as_deref(), Some("2026-07-28"));
}

/// The server demands that its streams are opened again at once, or breaks them off.
#[tokio::test]
async fn a_stream_that_ends_at_once_is_not_opened_again_without_a_pause() {
    for stream in ["\r\nretry: 0\n\n", "Transfer-Encoding: chunked\r\n\r\n"] {
        let (origin, requests) = loopback(move |request| {
            let result = match request.message["method"].as_str() {
                Some("initialize") => {
                    json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "x", "version": "1"}})
                }
                Some("tools/list") => json!({"tools": [tool("act")]}),
                Some(_) => return status("202 Accepted"),
                None => return format!("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{stream}"),
            };
            request.respond(&result, false).replacen("\r\n", "\r\nMcp-Session-Id: one\r\n", 1)
        })
        .await;
        let clock = SimulatedClock::new();
        let _server = connect("files", Endpoint::http(origin)).legacy().clock(clock.clone()).await.unwrap();
        let streams = || requests.lock().unwrap().iter().filter(|request| request.head.starts_with("get ")).count();
        while streams() == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        // No time passes for the client, so it opens no other stream in this time.
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert_eq!(streams(), 1);
        while streams() < 5 {
            clock.advance(Duration::from_secs(1));
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}
