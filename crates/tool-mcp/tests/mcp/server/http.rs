//! The server over streamable HTTP, with requests in the form in which other clients write them.

mod faults;
mod headers;
mod sessions;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;
use tool_mcp::Server;
use tool_mcp::server::Http;
use tool_runtime::{Toolbox, tool};

use super::tools::toolbox;
use crate::exchange::{Reply, exchange, initialize, post};

/// The time after which a server that does not answer fails the test.
const PATIENCE: Duration = Duration::from_secs(20);

struct Served {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<std::io::Result<()>>,
}

async fn start(http: Http) -> Served {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let (stop, stopped) = oneshot::channel();
    let task = tokio::spawn(http.serve(listener, async { drop(stopped.await) }));
    Served { address, stop, task }
}

impl Served {
    async fn stop(self) {
        let _ = self.stop.send(());
        let ended = tokio::time::timeout(PATIENCE, self.task).await.expect("the server ends");
        ended.expect("no panic").expect("no error");
    }
}

/// Makes a call in protocol version 2026-07-28.
async fn call(address: SocketAddr, token: Option<&str>, name: &str, arguments: Value) -> Reply {
    let token = token.map(|token| format!("Bearer {token}"));
    let headers: Vec<_> = token.as_deref().map(|token| ("Authorization", token)).into_iter().collect();
    call_with(address, &headers, name, arguments).await
}

/// Makes a call in protocol version 2026-07-28 with additional headers.
async fn call_with(address: SocketAddr, more: &[(&str, &str)], name: &str, arguments: Value) -> Reply {
    let mut headers = vec![("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", name)];
    headers.extend(more);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": name, "arguments": arguments, "_meta": meta});
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    post(address, &headers, &request.to_string()).await
}

fn request(method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": 2, "method": method, "params": params}).to_string()
}

#[tokio::test]
async fn revisions_with_and_without_sessions_are_served_at_one_address() {
    let served = start(Server::new(toolbox()).http()).await;
    let sum = call(served.address, None, "add", json!({"a": 1, "b": 2})).await;
    assert_eq!((sum.status, &sum.json()["result"]["structuredContent"]), (200, &json!(3.0)));
    let hour = call(served.address, None, "hour", json!({})).await;
    assert_eq!(hour.json()["result"]["content"][0]["text"], "12");

    let begun = post(served.address, &[], &initialize()).await;
    assert_eq!(begun.json()["result"]["protocolVersion"], "2025-11-25");
    let session = begun.header("mcp-session-id").expect("a session");
    let headers = [("Mcp-Session-Id", session), ("MCP-Protocol-Version", "2025-11-25")];
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
    assert_eq!(post(served.address, &headers, &ready).await.status, 202);
    let expand = request("tools/call", &json!({"name": "Clock", "arguments": {}}));
    assert_eq!(post(served.address, &headers, &expand).await.status, 200);
    let list = post(served.address, &headers, &request("tools/list", &json!({}))).await;
    assert_eq!(list.json()["result"]["tools"].as_array().map(Vec::len), Some(7));
    served.stop().await;
}

#[tokio::test]
async fn foreign_hosts_and_origins_are_rejected() {
    let served = start(Server::new(toolbox()).http()).await;
    for (header, value) in [("Host", "evil.example.com"), ("Origin", "https://evil.example.com"), ("Origin", "null")] {
        assert_eq!(post(served.address, &[(header, value)], &initialize()).await.status, 403, "{header}: {value}");
    }
    let port = served.address.port();
    for (origin, status) in [(format!("http://localhost:{port}"), 200), (format!("http://127.0.0.1:{}", port ^ 1), 403)]
    {
        assert_eq!(post(served.address, &[("Origin", &origin)], &initialize()).await.status, status, "{origin}");
    }
    served.stop().await;

    let http = Server::new(toolbox()).http().hosts(["tools.example.com"]).origins(["https://app.example.com:443"]);
    let served = start(http).await;
    let allowed = [("Host", "tools.example.com"), ("Origin", "https://app.example.com")];
    assert_eq!(post(served.address, &allowed, &initialize()).await.status, 200);
    assert_eq!(post(served.address, &[], &initialize()).await.status, 403);
    served.stop().await;
}

#[tokio::test]
async fn an_address_that_others_reach_needs_a_bearer_check() {
    let listener = || async { TcpListener::bind("0.0.0.0:0").await.expect("a free port") };
    let rejected = Server::new(toolbox()).http().serve(listener().await, std::future::pending()).await;
    assert_eq!(rejected.map_err(|error| error.kind()), Err(std::io::ErrorKind::InvalidInput));
    let allowed = Server::new(toolbox()).http().without_authentication();
    assert!(allowed.serve(listener().await, std::future::ready(())).await.is_ok());
    let allowed = Server::new(toolbox()).http().verify_bearer(|_| None);
    assert!(allowed.serve(listener().await, std::future::ready(())).await.is_ok());
}

fn identify(token: &str) -> Option<String> {
    token.strip_prefix("secret-of-").map(str::to_owned)
}

#[tokio::test]
async fn a_request_without_a_valid_token_is_rejected() {
    let served = start(Server::new(toolbox()).http().verify_bearer(identify)).await;
    let arguments = json!({"a": 1, "b": 2});
    for token in [None, Some("wrong"), Some("")] {
        let reply = call(served.address, token, "add", arguments.clone()).await;
        assert_eq!((reply.status, reply.header("www-authenticate")), (401, Some("Bearer")), "{token:?}");
    }
    for scheme in ["Basic secret-of-ada", "secret-of-ada", "Bearer"] {
        assert_eq!(post(served.address, &[("Authorization", scheme)], &initialize()).await.status, 401, "{scheme}");
    }
    assert_eq!(call(served.address, Some("secret-of-ada"), "add", arguments).await.status, 200);
    served.stop().await;
}

/// When a user repeats a call, the throttle stops it. Other users are not affected.
#[tokio::test]
async fn a_user_has_one_session_for_all_requests() {
    let served = start(Server::new(toolbox()).http().verify_bearer(identify)).await;
    let is_rejected = async |user: &str| {
        let reply = call(served.address, Some(user), "add", json!({"a": 1, "b": 2})).await;
        reply.json()["result"]["isError"] == true
    };
    for _ in 0..2 {
        assert!(!is_rejected("secret-of-ada").await);
    }
    let mut paused = 0;
    for _ in 0..4 {
        paused += usize::from(is_rejected("secret-of-ada").await);
    }
    assert!(paused > 0);
    assert!(!is_rejected("secret-of-bob").await);
    served.stop().await;

    // Without users, each request has its own session.
    let served = start(Server::new(toolbox()).http()).await;
    for _ in 0..6 {
        let reply = call(served.address, None, "add", json!({"a": 1, "b": 2})).await;
        assert_eq!(reply.json()["result"]["isError"], false);
    }
    served.stop().await;
}

#[tokio::test]
async fn requests_are_bounded() {
    let served = start(Server::new(toolbox()).http().max_body_bytes(10_000)).await;
    let long = format!("{{\"a\": \"{}\"}}", "x".repeat(20_000));
    assert_eq!(post(served.address, &[], &long).await.status, 413);
    let chunked = format!(
        "POST / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n4e20\r\n{}\r\n0\r\n\r\n",
        served.address,
        "x".repeat(20_000)
    );
    assert_eq!(exchange(served.address, &chunked).await.status, 413);
    for garbage in ["{", "", "[]", "5", "\u{0}"] {
        let reply = post(served.address, &[], garbage).await;
        assert!((400..500).contains(&reply.status), "{garbage}: {}", reply.status);
    }
    assert_eq!(exchange(served.address, "garbage\r\n\r\n").await.status, 400);
    served.stop().await;
}

#[derive(Default)]
struct Stages {
    begun: Notify,
    may_end: Notify,
}

/// Works until the test lets it end.
#[tool]
async fn work(#[tool(state)] stages: &Arc<Stages>) -> &'static str {
    stages.begun.notify_one();
    stages.may_end.notified().await;
    "worked"
}

/// A running call is still answered, and the server does not wait for an open stream of notifications.
#[tokio::test]
async fn a_server_that_stops_answers_running_calls() {
    let stages = Arc::new(Stages::default());
    let toolbox = Toolbox::builder().tool(WorkTool).state(Arc::clone(&stages)).build().expect("the tool is valid");
    let Served { address, stop, task } = start(Server::new(toolbox).http()).await;
    let begun = post(address, &[], &initialize()).await;
    let session = begun.header("mcp-session-id").expect("a session");
    let stream =
        format!("GET / HTTP/1.1\r\nHost: {address}\r\nAccept: text/event-stream\r\nMcp-Session-Id: {session}\r\n\r\n");
    let stream = tokio::spawn(async move { exchange(address, &stream).await });
    let running = tokio::spawn(async move { call(address, None, "work", json!({})).await });
    stages.begun.notified().await;
    stop.send(()).expect("the server runs");
    // Once the listener is closed, nobody can connect.
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    stages.may_end.notify_one();
    assert_eq!(running.await.expect("no panic").json()["result"]["content"][0]["text"], "worked");
    assert_eq!(stream.await.expect("no panic").status, 200);
    task.await.expect("no panic").expect("no error");
}
