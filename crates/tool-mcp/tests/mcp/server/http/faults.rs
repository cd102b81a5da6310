//! Clients over HTTP that are slow, stop in the middle of a request, or disconnect.
//!
//! The time in these tests is paused. It advances to the next time limit of the server when nothing else can happen.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tool_mcp::Server;
use tool_runtime::{CallContext, Toolbox, tool};

use super::{Served, call, initialize, post, request, start};

/// A number of bytes that is greater than the buffers of a connection.
const BIG: usize = 16 * 1024 * 1024;

/// A time that is longer than each time limit of the server.
const LONG: Duration = Duration::from_secs(600);

#[derive(Default)]
struct Stages {
    ended: Notify,
    may_end: Notify,
}

struct Ended(Arc<Stages>);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.ended.notify_one();
    }
}

/// Reports progress, then waits until the test lets it end.
#[tool]
async fn wait(#[tool(state)] stages: &Arc<Stages>, #[tool(context)] cx: &CallContext) -> &'static str {
    let _ended = Ended(Arc::clone(stages));
    cx.progress(1.0, 2.0, "waiting");
    stages.may_end.notified().await;
    "waited"
}

/// Returns a text that does not fit into the buffers of a connection.
#[tool]
fn report() -> String {
    "x".repeat(BIG)
}

/// Answers at once.
#[tool]
fn ping() -> &'static str {
    "pong"
}

async fn server() -> (Served, Arc<Stages>) {
    let stages = Arc::new(Stages::default());
    let builder = Toolbox::builder().tool(WaitTool).tool(ReportTool).tool(PingTool).no_throttle();
    let builder = builder.state(Arc::clone(&stages));
    (start(Server::new(builder.build().expect("the tools are valid")).http()).await, stages)
}

async fn is_alive(served: &Served) {
    let pong = call(served.address, None, "ping", json!({})).await;
    assert_eq!(pong.json()["result"]["content"][0]["text"], "pong");
}

/// Sends text, and keeps the connection open. Returns everything that the server sends before it closes the connection.
async fn half_open(served: &Served, text: &str) -> String {
    let mut stream = TcpStream::connect(served.address).await.expect("the server listens");
    stream.write_all(text.as_bytes()).await.expect("the server reads");
    let mut answer = Vec::new();
    let end = tokio::time::timeout(LONG, stream.read_to_end(&mut answer)).await;
    end.expect("the server closes the connection").expect("the server closes it in order");
    String::from_utf8(answer).expect("text")
}

#[tokio::test(start_paused = true)]
async fn an_incomplete_request_ends_its_connection() {
    let (served, _) = server().await;
    for (text, status) in [
        ("", ""),
        ("POST /mcp HT", ""),
        ("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A", ""),
        ("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n", "408"),
        ("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n{\"a\"", "408"),
        ("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{\"a\"\r\n", "408"),
    ] {
        let answer = half_open(&served, text).await;
        assert_eq!(answer.split(' ').nth(1).unwrap_or_default(), status, "{text:?}: {answer}");
    }
    is_alive(&served).await;
    served.stop().await;
}

/// A client cannot extend the time limit of a request by sending single bytes.
#[tokio::test(start_paused = true)]
async fn a_body_that_trickles_is_rejected() {
    let (served, _) = server().await;
    let mut stream = TcpStream::connect(served.address).await.expect("the server listens");
    let head = format!("POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Length: 1000\r\n\r\n", served.address);
    stream.write_all(head.as_bytes()).await.expect("the server reads");
    let (mut read, mut write) = stream.into_split();
    let trickle = async {
        for _ in 0..1_000 {
            if write.write_all(b" ").await.is_err() {
                break;
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    };
    let mut answer = [0; 12];
    tokio::select! {
        () = trickle => panic!("the server waits for the whole body"),
        read = read.read_exact(&mut answer) => drop(read.expect("an answer")),
    }
    assert_eq!(&answer, b"HTTP/1.1 408");
    is_alive(&served).await;
    served.stop().await;
}

fn call_2026(name: &str, meta: Value) -> String {
    let mut all = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    all.as_object_mut().expect("an object").extend(meta.as_object().cloned().unwrap_or_default());
    request("tools/call", &json!({"name": name, "arguments": {}, "_meta": all}))
}

/// Sends a request, and returns the open connection.
async fn begin(served: &Served, headers: &str, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(served.address).await.expect("the server listens");
    let text = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n{headers}Content-Length: \
         {}\r\n\r\n{body}",
        served.address,
        body.len()
    );
    stream.write_all(text.as_bytes()).await.expect("the server reads");
    stream
}

async fn read_until(stream: &mut TcpStream, part: &str) -> String {
    let mut text = String::new();
    let mut buffer = [0; 1_024];
    while !text.contains(part) {
        let count = tokio::time::timeout(LONG, stream.read(&mut buffer)).await.expect("the server writes");
        let count = count.expect("the connection is open");
        assert_ne!(count, 0, "the server closed the connection after {text}");
        text += &String::from_utf8_lossy(&buffer[..count]);
    }
    text
}

const MODERN: &str = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: ";

/// In protocol version 2026-07-28, the end of the connection cancels the call, whether its answer has begun or not.
#[tokio::test]
async fn a_client_that_goes_away_cancels_its_call() {
    let (served, stages) = server().await;
    for meta in [json!({"progressToken": 1}), json!({})] {
        let mut stream = begin(&served, &format!("{MODERN}wait\r\n"), &call_2026("wait", meta.clone())).await;
        if meta["progressToken"].is_u64() {
            read_until(&mut stream, "waiting").await;
        } else {
            // When a later request has been answered, the call is running.
            is_alive(&served).await;
        }
        drop(stream);
        tokio::time::timeout(super::PATIENCE, stages.ended.notified()).await.expect("the call ends");
    }
    is_alive(&served).await;
    served.stop().await;
}

/// Until protocol version 2025-11-25, only a notification cancels a call, because the client can still fetch the answer after the connection ends.
#[tokio::test]
async fn a_client_with_a_session_cancels_by_a_notification() {
    let (served, stages) = server().await;
    let begun = post(served.address, &[], &initialize()).await;
    let session = begun.header("mcp-session-id").expect("a session").to_owned();
    let header = format!("Mcp-Session-Id: {session}\r\n");
    let params = json!({"name": "wait", "arguments": {}, "_meta": {"progressToken": 1}});
    let mut stream = begin(&served, &header, &request("tools/call", &params)).await;
    read_until(&mut stream, "waiting").await;
    drop(stream);
    is_alive(&served).await;
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}});
    assert_eq!(post(served.address, &[("Mcp-Session-Id", &session)], &cancel.to_string()).await.status, 202);
    tokio::time::timeout(super::PATIENCE, stages.ended.notified()).await.expect("the call ends");
    served.stop().await;
}

/// A client that sends a request and never reads the answer is disconnected. Other clients are answered in the meantime.
#[tokio::test]
async fn a_client_that_does_not_read_is_disconnected() {
    let (served, _) = server().await;
    let whole = call(served.address, None, "report", json!({})).await;
    assert!(whole.body.len() > BIG);
    let mut stuck = begin(&served, &format!("{MODERN}report\r\n"), &call_2026("report", json!({}))).await;
    read_until(&mut stuck, "200 OK").await;
    is_alive(&served).await;
    // Nothing else happens until the time limit of the server ends, so the time can be paused.
    tokio::time::pause();
    tokio::time::sleep(LONG).await;
    tokio::time::resume();
    let mut rest = Vec::new();
    let end = tokio::time::timeout(super::PATIENCE, stuck.read_to_end(&mut rest)).await.expect("the connection ended");
    assert!(end.is_err() || rest.len() < BIG, "the whole answer was sent");
    is_alive(&served).await;
    served.stop().await;
}

#[tokio::test]
async fn two_clients_are_answered_at_the_same_time() {
    let (served, stages) = server().await;
    let first = call(served.address, None, "wait", json!({}));
    let second = async {
        for _ in 0..10 {
            is_alive(&served).await;
        }
        stages.may_end.notify_one();
    };
    let (first, ()) = tokio::join!(first, second);
    assert_eq!(first.json()["result"]["content"][0]["text"], "waited");
    served.stop().await;
}

/// The number of sessions is bounded, even if many clients begin a session at the same time.
#[tokio::test]
async fn sessions_are_bounded() {
    let toolbox = Toolbox::builder().tool(PingTool).build().expect("the tool is valid");
    let served = start(Server::new(toolbox).http().max_sessions(3)).await;
    let begun = (0..10).map(|_| {
        let address = served.address;
        tokio::spawn(async move { post(address, &[], &initialize()).await })
    });
    let begun: Vec<_> = begun.collect();
    let (mut sessions, mut rejected) = (Vec::new(), 0);
    for reply in begun {
        let reply = reply.await.expect("no panic");
        if let Some(session) = reply.header("mcp-session-id") {
            sessions.push(session.to_owned());
        } else {
            assert_eq!((reply.status, reply.header("retry-after")), (503, Some("30")), "{}", reply.body);
            rejected += 1;
        }
    }
    assert_eq!((sessions.len(), rejected), (3, 7));
    // The limit does not affect requests of an existing session and requests without a session.
    let list = post(served.address, &[("Mcp-Session-Id", &sessions[0])], &request("tools/list", &json!({}))).await;
    assert_eq!(list.status, 200);
    is_alive(&served).await;
    // A repeated or escaped key does not bypass the limit.
    for method in [r#""method": "ping", "method": "initialize""#, r#""method": "initi\u0061lize""#] {
        let body = initialize().replace(r#""method":"initialize""#, method);
        assert_eq!(post(served.address, &[], &body).await.status, 503, "{body}");
    }
    // A header that is not text names no session.
    let odd = post(served.address, &[("Mcp-Session-Id", "\u{e9}")], &initialize()).await;
    assert_eq!(odd.status, 503, "{}", odd.body);
    // When a session has ended, another can begin.
    let end = format!(
        "DELETE /mcp HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nMcp-Session-Id: {}\r\n\r\n",
        served.address, sessions[1]
    );
    assert!((200..300).contains(&super::exchange(served.address, &end).await.status));
    assert_eq!(post(served.address, &[], &initialize()).await.status, 200);
    served.stop().await;
}
