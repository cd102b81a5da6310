//! A proxy between a client and a server that the test plays: [`Rig`].

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;
use tool_proxy::{Proxy, ProxyBuilder, ProxyEnd, ProxyReport};

/// The size of the buffers between the proxy and both sides.
const BUFFER: usize = 1 << 16;

/// The time after which a line that does not come fails the test.
const PATIENCE: Duration = Duration::from_secs(20);

/// A line that is sent to find out that nothing else was.
const MARK: &str = r#"{"jsonrpc":"2.0","method":"notifications/mark"}"#;

/// One side of the proxy.
pub(crate) struct Side {
    write: Option<WriteHalf<DuplexStream>>,
    read: BufReader<ReadHalf<DuplexStream>>,
}

impl Side {
    pub(crate) async fn send(&mut self, line: impl AsRef<[u8]>) {
        let write = self.write.as_mut().unwrap();
        write.write_all(line.as_ref()).await.unwrap();
        write.write_all(b"\n").await.unwrap();
    }

    /// Receives a line without its line feed; `None` at the end of the connection.
    pub(crate) async fn end_or_line(&mut self) -> Option<String> {
        let mut line = String::new();
        tokio::time::timeout(PATIENCE, self.read.read_line(&mut line)).await.expect("a line").unwrap();
        line.strip_suffix('\n').map(str::to_owned)
    }

    pub(crate) async fn line(&mut self) -> String {
        self.end_or_line().await.expect("a line")
    }

    pub(crate) async fn message(&mut self) -> Value {
        serde_json::from_str(&self.line().await).unwrap()
    }

    /// Closes both directions.
    pub(crate) fn close(self) {
        drop(self);
    }

    /// Sends nothing more, but still reads.
    pub(crate) async fn hang_up(&mut self) {
        self.write.take().unwrap().shutdown().await.unwrap();
    }
}

/// A proxy with both sides.
pub(crate) struct Rig {
    pub(crate) client: Side,
    pub(crate) server: Side,
    pub(crate) proxy: Arc<Proxy>,
    pub(crate) task: JoinHandle<ProxyEnd>,
    remarks: Arc<Mutex<Vec<String>>>,
}

impl Rig {
    pub(crate) fn new() -> Self {
        Self::with(|proxy| proxy)
    }

    pub(crate) fn with(settings: impl FnOnce(ProxyBuilder) -> ProxyBuilder) -> Self {
        let remarks: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Arc::clone(&remarks);
        let builder = Proxy::builder().log_with(move |remark| log.lock().unwrap().push(remark.to_owned()));
        let proxy = Arc::new(settings(builder).build().unwrap());
        let (client, to_client) = side();
        let (server, to_server) = side();
        let running = Arc::clone(&proxy);
        let task = tokio::spawn(async move { running.connect_streams(to_client, to_server).await });
        Self { client, server, proxy, task, remarks }
    }

    pub(crate) fn report(&self) -> ProxyReport {
        self.proxy.report()
    }

    pub(crate) fn remarks(&self) -> Vec<String> {
        self.remarks.lock().unwrap().clone()
    }

    /// Checks that the server has got nothing that the test has not received.
    pub(crate) async fn server_got_nothing(&mut self) {
        self.client.send(MARK).await;
        assert_eq!(self.server.line().await, MARK);
    }

    /// Checks that the client has got nothing that the test has not received.
    pub(crate) async fn client_got_nothing(&mut self) {
        self.server.send(MARK).await;
        assert_eq!(self.client.line().await, MARK);
    }

    /// Checks that a line of the client reaches the server unchanged.
    pub(crate) async fn reaches_server(&mut self, line: &str) {
        self.client.send(line).await;
        assert_eq!(self.server.line().await, line);
    }

    /// Checks that a line of the server reaches the client unchanged.
    pub(crate) async fn reaches_client(&mut self, line: &str) {
        self.server.send(line).await;
        assert_eq!(self.client.line().await, line);
    }

    /// Lets the client list the tools.
    pub(crate) async fn list(&mut self, tools: &[Value]) {
        self.reaches_server(r#"{"jsonrpc":"2.0","id":"list","method":"tools/list"}"#).await;
        self.reaches_client(&json!({"jsonrpc": "2.0", "id": "list", "result": {"tools": tools}}).to_string()).await;
    }

    /// Sends a call and receives what the server gets.
    pub(crate) async fn forwarded(&mut self, id: u64, name: &str, arguments: &str) -> String {
        self.client.send(call(id, name, arguments)).await;
        self.server.line().await
    }

    /// Sends a call and receives the answer of the proxy, which the server does not see.
    pub(crate) async fn rejected(&mut self, id: u64, name: &str, arguments: &str) -> String {
        self.client.send(call(id, name, arguments)).await;
        let answer = self.client.message().await;
        assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(id), &json!(true)), "{answer}");
        self.server_got_nothing().await;
        let parts = answer["result"]["content"].as_array().unwrap();
        parts.iter().map(|part| part["text"].as_str().unwrap()).collect::<Vec<_>>().join("\n")
    }

    /// Answers a request of the proxy for the list of tools.
    pub(crate) async fn answer_list(&mut self, tools: &[Value]) {
        let request = self.server.message().await;
        assert_eq!(request["method"], "tools/list", "{request}");
        let result = json!({"tools": tools});
        self.server.send(json!({"jsonrpc": "2.0", "id": request["id"], "result": result}).to_string()).await;
    }
}

fn side() -> (Side, (ReadHalf<DuplexStream>, WriteHalf<DuplexStream>)) {
    let (near, far) = tokio::io::duplex(BUFFER);
    let (read, write) = tokio::io::split(near);
    (Side { write: Some(write), read: BufReader::new(read) }, tokio::io::split(far))
}

pub(crate) fn call(id: u64, name: &str, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0", "id":{id}, "method":"tools/call", "params":{{"name":{}, "arguments":{arguments}, "_meta":{{"progressToken":7}}}}}}"#,
        Value::from(name)
    )
}

pub(crate) fn search() -> Value {
    json!({"name": "search", "description": "Searches.", "inputSchema": {
        "type": "object",
        "properties": {"query": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}},
        "required": ["query"],
        "additionalProperties": false,
    }})
}

pub(crate) fn named(name: &str) -> Value {
    let mut tool = search();
    tool["name"] = name.into();
    tool
}

pub(crate) fn text(id: u64, text: &str) -> String {
    json!({"jsonrpc": "2.0", "id": id, "result": {"content": [{"type": "text", "text": text}]}}).to_string()
}

/// The lines of a recording.
#[derive(Clone, Default)]
pub(crate) struct Recording(Arc<Mutex<Vec<String>>>);

impl Recording {
    pub(crate) fn writer(&self) -> impl FnMut(&str) + Send + 'static {
        let lines = Arc::clone(&self.0);
        move |line| lines.lock().unwrap().push(line.to_owned())
    }

    /// Returns the lines without times and sizes.
    pub(crate) fn lines(&self) -> Vec<Value> {
        let lines = self.0.lock().unwrap();
        let parsed = lines.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
        parsed
            .map(|mut line| {
                let members = line.as_object_mut().unwrap();
                members.retain(|name, _| !["at_ms", "ms", "bytes"].contains(&&**name));
                line
            })
            .collect()
    }
}
