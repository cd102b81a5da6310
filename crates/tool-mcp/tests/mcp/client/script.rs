//! A server that follows a script: [`Script`].

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::watch;
use tool_mcp::client::{Connect, Endpoint, RemoteServer, connect};
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{Outcome, Session, Toolbox};

/// The reaction of a server to a request.
pub(crate) enum Reply {
    Result(Value),
    Error(i64, &'static str),
    /// Lines in which `ID` and `TOKEN` stand for the id and the progress token of the request.
    Lines(Vec<String>),
    /// A beginning, and then a text that is repeated without end.
    Endless(&'static str, &'static str),
    Silence,
    /// Sends the lines at once. After the next list, the result is the id of the request as a text.
    AfterList(Vec<String>),
    /// A question to the user. The answer of the user becomes the result.
    Question(Value),
    /// No answer, and the server stops reading.
    Deafness,
    /// The end of the connection.
    Close,
}

type Answer = dyn Fn(&str, &Value) -> Reply + Send + Sync;

/// A server for the protocol version 2025-11-25 whose replies to `tools/list` and `tools/call` are given by a function.
#[derive(Clone)]
pub(crate) struct Script {
    answer: Arc<Answer>,
    received: Arc<Mutex<Vec<Value>>>,
    count: Arc<watch::Sender<usize>>,
    connections: Arc<AtomicUsize>,
}

impl Script {
    /// Creates a server. The function gets the method and the parameters.
    pub(crate) fn new(answer: impl Fn(&str, &Value) -> Reply + Send + Sync + 'static) -> Self {
        Self {
            answer: Arc::new(answer),
            received: Arc::default(),
            count: Arc::new(watch::Sender::new(0)),
            connections: Arc::default(),
        }
    }

    /// Creates a server with one tool, `act`, and a reply to its calls.
    pub(crate) fn acting(reply: impl Fn() -> Reply + Send + Sync + 'static) -> Self {
        Self::new(move |method, _| if method == "tools/list" { list(&[tool("act")]) } else { reply() })
    }

    pub(crate) fn endpoint(&self) -> Endpoint {
        let script = self.clone();
        Endpoint::from_stream_fn(move || {
            let (near, far) = tokio::io::duplex(1 << 16);
            script.connections.fetch_add(1, Ordering::SeqCst);
            let (reader, writer) = tokio::io::split(far);
            let script = script.clone();
            tokio::spawn(async move { script.serve(reader, writer).await });
            async move { Ok(near) }
        })
    }

    pub(crate) fn connect(&self) -> Connect {
        connect("files", self.endpoint()).legacy()
    }

    /// Serves until the client or a reply closes the connection.
    pub(crate) async fn serve(
        &self,
        reader: impl AsyncRead + Unpin,
        mut writer: impl AsyncWrite + Unpin,
    ) -> io::Result<()> {
        let mut lines = BufReader::new(reader).lines();
        let mut waiting = Vec::new();
        while let Some(line) = lines.next_line().await? {
            let message: Value = serde_json::from_str(&line)?;
            self.received.lock().unwrap().push(message.clone());
            self.count.send_modify(|count| *count += 1);
            let Some(method) = message["method"].as_str().filter(|_| message.get("id").is_some()) else { continue };
            let reply = match method {
                "initialize" => Reply::Result(json!({
                    "protocolVersion": "2025-11-25",
                    "capabilities": {"tools": {"listChanged": true}},
                    "serverInfo": {"name": "x", "version": "1", "title": "Files", "description": "Reads files."},
                    "instructions": "Paths are relative.",
                })),
                _ => (self.answer)(method, &message["params"]),
            };
            let respond =
                |member: &str, value: Value| json!({"jsonrpc": "2.0", "id": message["id"], member: value}).to_string();
            let lines = match reply {
                Reply::Result(result) => vec![respond("result", result)],
                Reply::Error(code, text) => vec![respond("error", json!({"code": code, "message": text}))],
                Reply::Lines(lines) => {
                    let (id, token) =
                        (message["id"].to_string(), message["params"]["_meta"]["progressToken"].to_string());
                    lines.into_iter().map(|line| line.replace("ID", &id).replace("TOKEN", &token)).collect()
                }
                Reply::Endless(first, rest) => {
                    writer.write_all(first.replace("ID", &message["id"].to_string()).as_bytes()).await?;
                    loop {
                        writer.write_all(rest.as_bytes()).await?;
                    }
                }
                Reply::Silence => continue,
                Reply::AfterList(lines) => {
                    let id = &message["id"];
                    waiting.push(respond("result", json!({"content": [{"type": "text", "text": id.to_string()}]})));
                    lines
                }
                Reply::Question(params) => {
                    let question =
                        json!({"jsonrpc": "2.0", "id": "question", "method": "elicitation/create", "params": params});
                    writer.write_all(format!("{question}\n").as_bytes()).await?;
                    let answer = lines.next_line().await?.unwrap_or_default();
                    vec![respond("result", json!({"content": [{"type": "text", "text": answer}]}))]
                }
                Reply::Deafness => return std::future::pending().await,
                Reply::Close => return Ok(()),
            };
            let released = if method == "tools/list" { std::mem::take(&mut waiting) } else { Vec::new() };
            for line in lines.into_iter().chain(released) {
                writer.write_all(format!("{line}\n").as_bytes()).await?;
            }
        }
        Ok(())
    }

    /// The number of connections so far.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// The messages of a method so far.
    pub(crate) fn received(&self, method: &str) -> Vec<Value> {
        self.received.lock().unwrap().iter().filter(|message| message["method"] == method).cloned().collect()
    }

    /// Waits for a message of a method.
    pub(crate) async fn receives(&self, method: &str) -> Value {
        let mut count = self.count.subscribe();
        loop {
            if let Some(message) = self.received(method).pop() {
                return message;
            }
            count.changed().await.unwrap();
        }
    }
}

pub(crate) fn tool(name: &str) -> Value {
    json!({"name": name, "inputSchema": {"type": "object"}})
}

pub(crate) fn list(tools: &[Value]) -> Reply {
    Reply::Result(json!({"tools": tools}))
}

pub(crate) fn text(text: &str) -> Reply {
    Reply::Result(json!({"content": [{"type": "text", "text": text}]}))
}

/// A session with the tools of a server.
pub(crate) fn session(server: &RemoteServer) -> Session {
    let tools = server.tools().into_iter().fold(Toolbox::builder(), ToolboxBuilder::tool);
    tools.no_throttle().build().unwrap().session()
}

/// Calls `files__act` of a server.
pub(crate) async fn act(session: &Session) -> Outcome {
    session.call("call_1", "files__act", "{}").await
}
