//! The proxy over streamable HTTP, with requests in the form in which clients write them.

mod faults;
mod requests;
mod sessions;
mod several;

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex, split,
};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tool_proxy::{PinMode, Pins, Proxy, ProxyBuilder, ProxyHttp};

use crate::exchange::{Reply, initialize, post};

/// The time after which a test that waits fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// The server side of a connection of the proxy, which the test plays.
struct Toy {
    read: BufReader<ReadHalf<DuplexStream>>,
    write: WriteHalf<DuplexStream>,
}

/// A proxy and the servers that it has started.
struct Rig {
    address: SocketAddr,
    proxy: Arc<ProxyHttp>,
    servers: mpsc::UnboundedReceiver<Toy>,
    stop: oneshot::Sender<()>,
    task: JoinHandle<std::io::Result<()>>,
    remarks: Arc<Mutex<Vec<String>>>,
}

impl Rig {
    async fn new() -> Self {
        Self::with(|proxy| proxy).await
    }

    async fn with(settings: impl FnOnce(ProxyHttp) -> ProxyHttp) -> Self {
        Self::built(|proxy| proxy, settings).await
    }

    async fn built(
        build: impl FnOnce(ProxyBuilder) -> ProxyBuilder,
        settings: impl FnOnce(ProxyHttp) -> ProxyHttp,
    ) -> Self {
        let remarks: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Arc::clone(&remarks);
        let builder = Proxy::builder().max_message_bytes(100_000);
        let builder = builder.log_with(move |remark| log.lock().unwrap().push(remark.to_owned()));
        let proxy = Arc::new(settings(build(builder).build_http().unwrap()));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (started, servers) = mpsc::unbounded_channel();
        let start = move || {
            let (near, far) = duplex(1 << 16);
            let (read, write) = split(far);
            started.send(Toy { read: BufReader::new(read), write }).map_err(std::io::Error::other)?;
            Ok(split(near))
        };
        let (stop, stopped) = oneshot::channel::<()>();
        let running = Arc::clone(&proxy);
        let task =
            tokio::spawn(async move { running.serve_streams(listener, start, async { drop(stopped.await) }).await });
        Self { address, proxy, servers, stop, task, remarks }
    }

    /// Returns the next server that the proxy has started.
    async fn server(&mut self) -> Toy {
        within(self.servers.recv()).await.expect("a server")
    }

    /// Begins a session. Returns its server and its id.
    async fn begin(&mut self) -> (Toy, String) {
        self.begin_with(&[]).await
    }

    async fn begin_with(&mut self, headers: &[(&str, &str)]) -> (Toy, String) {
        let initialize = initialize();
        let begin = post(self.address, headers, &initialize);
        let serve = async {
            let mut server = within(self.servers.recv()).await.expect("a server");
            let request = server.message().await;
            let result = json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "toy", "version": "1"}});
            server.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result})).await;
            server
        };
        let (reply, server) = tokio::join!(begin, serve);
        assert_eq!(reply.status, 200, "{}", reply.body);
        let id = reply.header("mcp-session-id").expect("a session").to_owned();
        (server, id)
    }

    async fn end(self) {
        let _ = self.stop.send(());
        within(self.task).await.unwrap().unwrap();
    }

    fn remarks(&self) -> Vec<String> {
        self.remarks.lock().unwrap().clone()
    }
}

async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.expect("the test does not wait for ever")
}

impl Toy {
    /// Receives a line; `None` at the end.
    async fn end_or_line(&mut self) -> Option<String> {
        let mut line = String::new();
        within(self.read.read_line(&mut line)).await.unwrap();
        line.strip_suffix('\n').map(str::to_owned)
    }

    async fn line(&mut self) -> String {
        self.end_or_line().await.expect("a line")
    }

    async fn message(&mut self) -> Value {
        serde_json::from_str(&self.line().await).unwrap()
    }

    async fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string()).await;
    }

    async fn send_line(&mut self, line: &str) {
        self.write.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    /// Answers a call with a text.
    async fn answer(&mut self, call: &Value, text: &str) {
        let result = json!({"content": [{"type": "text", "text": text}]});
        self.send(&json!({"jsonrpc": "2.0", "id": call["id"], "result": result})).await;
    }

    /// Answers the next request, which is for the list of tools.
    async fn list(&mut self) {
        let request = self.message().await;
        assert_eq!(request["method"], "tools/list", "{request}");
        let query = json!({"type": "object", "properties": {"query": {"type": "integer"}}, "required": ["query"]});
        let region = json!({"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}});
        let tools = json!([{"name": "search", "inputSchema": query}, {"name": "deploy", "inputSchema": region}]);
        self.send(
            &json!({"jsonrpc": "2.0", "id": request["id"], "result": {"resultType": "complete", "tools": tools}}),
        )
        .await;
    }

    /// Answers the next request, with which the proxy finds out the revision of the server.
    async fn discover(&mut self) {
        let request = self.message().await;
        assert_eq!(request["method"], "server/discover", "{request}");
        let result = json!({"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {}});
        self.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result})).await;
    }
}

/// A request whose answer is read while it arrives.
struct Open {
    stream: TcpStream,
    text: String,
}

impl Open {
    async fn new(address: SocketAddr, method: &str, headers: &[(&str, &str)], body: &str) -> Self {
        let mut text = format!("{method} /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n");
        text += "Accept: application/json, text/event-stream\r\n";
        for (name, value) in headers {
            let _ = write!(text, "{name}: {value}\r\n");
        }
        let _ = write!(text, "Content-Length: {}\r\n\r\n{body}", body.len());
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        Self { stream, text: String::new() }
    }

    /// Reads until the answer contains a text. Returns everything that was read.
    async fn until(&mut self, part: &str) -> &str {
        while !self.text.contains(part) {
            let mut bytes = [0; 4_096];
            let read = within(self.stream.read(&mut bytes)).await.unwrap();
            assert_ne!(read, 0, "the answer ends without {part}: {}", self.text);
            self.text += std::str::from_utf8(&bytes[..read]).unwrap();
        }
        &self.text
    }
}

/// Returns a call of a revision until 2025-11-25.
fn call(id: u64, tool: &str, arguments: &Value) -> String {
    let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": "p"}});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
}

/// Returns the headers and the body of a request of protocol version 2026-07-28.
fn modern(id: &Value, method: &str, mut params: Value) -> (Vec<(String, String)>, String) {
    let mut meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    if let Some(more) = params["_meta"].as_object() {
        meta.as_object_mut().unwrap().extend(more.clone());
    }
    params["_meta"] = meta;
    let mut headers = vec![("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method)];
    if let Some(name) = params["name"].as_str() {
        headers.push(("Mcp-Name", name));
    }
    let headers = headers.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    (headers, json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string())
}

fn borrowed(headers: &[(String, String)]) -> Vec<(&str, &str)> {
    headers.iter().map(|(name, value)| (&**name, &**value)).collect()
}

async fn post_modern(address: SocketAddr, id: &Value, method: &str, params: Value) -> Reply {
    let (headers, body) = modern(id, method, params);
    within(post(address, &borrowed(&headers), &body)).await
}
