//! A client that writes and reads lines of JSON: [`Wire`].

use std::time::Duration;

use rmcp::ServerHandler;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;
use tool_mcp::{ServeError, Server, rmcp};

/// The size of the buffer between client and server.
const BUFFER: usize = 1 << 20;

/// The time after which a server that does not answer fails the test.
const PATIENCE: Duration = Duration::from_secs(20);

/// One end of a connection to a server.
pub(crate) struct Wire {
    write: WriteHalf<DuplexStream>,
    read: Lines<BufReader<ReadHalf<DuplexStream>>>,
    pub(crate) task: JoinHandle<Result<(), ServeError>>,
    id: u64,
    /// Fields that are added to the `_meta` of every request.
    pub(crate) meta: Value,
}

impl Wire {
    /// Connects to a server without sending a message.
    pub(crate) fn connect(server: Server<impl ServerHandler>) -> Self {
        let (near, far) = tokio::io::duplex(BUFFER);
        let (input, output) = tokio::io::split(far);
        let task = tokio::spawn(server.serve_streams(input, output));
        let (read, write) = tokio::io::split(near);
        Self { write, read: BufReader::new(read).lines(), task, id: 0, meta: Value::Null }
    }

    /// Connects to a server, and sends the `initialize` request with a revision.
    pub(crate) async fn initialize(server: Server<impl ServerHandler>, revision: &str, capabilities: Value) -> Self {
        let mut wire = Self::connect(server);
        let client = json!({"name": "test", "version": "0"});
        let params = json!({"protocolVersion": revision, "capabilities": capabilities, "clientInfo": client});
        let answer = wire.request("initialize", params).await;
        assert_eq!(answer["result"]["protocolVersion"], revision);
        wire.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        wire
    }

    /// Connects to a server with protocol version 2026-07-28. In this revision, each request contains the revision.
    pub(crate) fn stateless(server: Server<impl ServerHandler>, capabilities: Value) -> Self {
        let mut wire = Self::connect(server);
        wire.meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        });
        wire
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string()).await;
    }

    pub(crate) async fn send_line(&mut self, line: &str) {
        self.write.write_all(line.as_bytes()).await.expect("the server reads");
        self.write.write_all(b"\n").await.expect("the server reads");
    }

    /// Reads the next message of the server. Returns `None` at the end of the connection.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let line = tokio::time::timeout(PATIENCE, self.read.next_line()).await.expect("the server answers");
        let line = line.expect("the server writes lines of text")?;
        Some(serde_json::from_str(&line).expect("the server writes JSON"))
    }

    /// Sends a request and returns its id.
    pub(crate) async fn begin(&mut self, method: &str, mut params: Value) -> u64 {
        self.id += 1;
        let id = self.id;
        for (key, value) in self.meta.as_object().into_iter().flatten() {
            params["_meta"][key] = value.clone();
        }
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        id
    }

    /// Sends a request and returns its answer. Notifications before the answer are dropped.
    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params).await;
        loop {
            let message = self.next().await.expect("an answer");
            if message["id"] == id {
                return message;
            }
            assert!(message.get("id").is_none(), "an answer to a request that was not made: {message}");
        }
    }

    /// Calls a tool and returns the answer.
    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({"name": tool, "arguments": arguments})).await
    }

    /// Closes the connection and waits for the server to end.
    pub(crate) async fn close(self) {
        let Self { write, read, task, .. } = self;
        drop((write, read));
        task.await.expect("the server does not panic").expect("the connection ended well");
    }
}
