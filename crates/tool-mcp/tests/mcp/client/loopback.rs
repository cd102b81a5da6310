//! A small HTTP server whose answers are given by a function: [`loopback`].

use std::io;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;

/// A request: the lines before the body, in lower case, and the message in the body.
pub(crate) struct Request {
    pub(crate) head: String,
    pub(crate) message: Value,
}

impl Request {
    pub(crate) async fn receive(stream: &mut BufReader<impl AsyncRead + Unpin>) -> io::Result<Self> {
        let (mut head, mut length) = (String::new(), 0);
        loop {
            let begin = head.len();
            if stream.read_line(&mut head).await? <= 2 {
                break;
            }
            let line = head.split_off(begin).to_lowercase();
            if let Some(bytes) = line.strip_prefix("content-length:") {
                length = bytes.trim().parse().unwrap();
            }
            head.push_str(&line);
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await?;
        Ok(Self { head, message: serde_json::from_slice(&body).unwrap_or_default() })
    }

    /// Returns a response with a result, as JSON or as an event.
    pub(crate) fn respond(&self, result: &Value, is_event: bool) -> String {
        let message = json!({"jsonrpc": "2.0", "id": self.message["id"], "result": result}).to_string();
        if is_event {
            return format!("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {message}\n\n");
        }
        let length = message.len();
        format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{message}")
    }
}

/// A response without a body.
pub(crate) fn status(status: &str) -> String {
    format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n")
}

/// The requests so far.
pub(crate) type Requests = Arc<Mutex<Vec<Request>>>;

/// Serves on a free port, one request on each TCP connection, and returns the origin of the server.
pub(crate) async fn loopback(answer: impl Fn(&Request) -> String + Send + Sync + 'static) -> (String, Requests) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let (answer, requests) = (Arc::new(answer), Requests::default());
    let received = Arc::clone(&requests);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (answer, received) = (Arc::clone(&answer), Arc::clone(&received));
            tokio::spawn(async move {
                let mut stream = BufReader::new(stream);
                let request = Request::receive(&mut stream).await?;
                let response = answer(&request);
                received.lock().unwrap().push(request);
                stream.write_all(response.as_bytes()).await?;
                stream.shutdown().await
            });
        }
    });
    (origin, requests)
}

/// Answers the requests of protocol version 2026-07-28 with a list and with texts.
pub(crate) fn modern(request: &Request, list: &Value, is_event: bool) -> String {
    let result = match request.message["method"].as_str() {
        Some("server/discover") => json!({
            "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "ttlMs": 0, "cacheScope": "private",
        }),
        Some("tools/list") => list.clone(),
        Some("tools/call") => json!({"resultType": "complete", "content": [{"type": "text", "text": "done"}]}),
        _ => return status("405 Method Not Allowed"),
    };
    request.respond(&result, is_event)
}
