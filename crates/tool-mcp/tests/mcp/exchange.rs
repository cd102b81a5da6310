//! Requests over HTTP, in the form in which other clients write them. The tests of `tool-proxy` use this file too.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The time after which a server that does not answer fails the test.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Reply {
    /// Returns the JSON of the body, or of the last event if the body is a stream.
    pub(crate) fn json(&self) -> Value {
        let mut events = self.body.lines().filter_map(|line| line.strip_prefix("data: {"));
        let last = events.next_back().map_or_else(|| self.body.clone(), |event| format!("{{{event}"));
        serde_json::from_str(&last).unwrap_or_else(|error| panic!("{error}: {last}"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let is_named = |line: &&str| line.to_lowercase().starts_with(&format!("{name}:"));
        Some(self.head.lines().find(is_named)?.split_once(':')?.1.trim())
    }
}

/// Sends text, and reads the whole answer.
pub(crate) async fn exchange(address: SocketAddr, text: &str) -> Reply {
    let mut stream = TcpStream::connect(address).await.expect("the server listens");
    let mut answer = Vec::new();
    let exchange = async {
        // A server that rejects the request may close the connection before it has read everything, so this may fail.
        let _ = stream.write_all(text.as_bytes()).await;
        let _ = stream.read_to_end(&mut answer).await;
    };
    tokio::time::timeout(PATIENCE, exchange).await.expect("the server answers");
    let answer = String::from_utf8(answer).expect("text");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
    Reply { status, head: head.to_owned(), body: body.to_owned() }
}

pub(crate) async fn post(address: SocketAddr, headers: &[(&str, &str)], body: &str) -> Reply {
    let mut text = String::from("POST /mcp HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\n");
    text += "Accept: application/json, text/event-stream\r\n";
    if !headers.iter().any(|(name, _)| *name == "Host") {
        let _ = write!(text, "Host: {address}\r\n");
    }
    for (name, value) in headers {
        let _ = write!(text, "{name}: {value}\r\n");
    }
    let _ = write!(text, "Content-Length: {}\r\n\r\n{body}", body.len());
    exchange(address, &text).await
}

pub(crate) fn initialize() -> String {
    let client = json!({"name": "test", "version": "0"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).to_string()
}
