//! Servers behind a URL, which the test plays request by request.

mod faults;
mod older;
mod requests;
mod sessions;

use std::io;
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
use tool_proxy::{HttpUpstream, Proxy, ProxyBuilder, ProxyEnd, Servers};

/// The time after which a test that waits fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server over HTTP.
struct Web {
    address: SocketAddr,
    requests: mpsc::UnboundedReceiver<Request>,
    task: JoinHandle<()>,
}

/// A request, with the connection for its response.
struct Request {
    method: String,
    head: String,
    body: Value,
    stream: TcpStream,
}

impl Web {
    async fn new() -> Self {
        Self::at(TcpListener::bind("127.0.0.1:0").await.unwrap())
    }

    fn at(listener: TcpListener) -> Self {
        let address = listener.local_addr().unwrap();
        let (sender, requests) = mpsc::unbounded_channel();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let sender = sender.clone();
                tokio::spawn(async move {
                    if let Some(request) = Request::read(stream).await {
                        let _ = sender.send(request);
                    }
                });
            }
        });
        Self { address, requests, task }
    }

    fn url(&self) -> String {
        format!("http://{}/mcp?key=s3cret", self.address)
    }

    fn server(&self) -> HttpUpstream {
        HttpUpstream::new(&self.url()).unwrap()
    }

    /// Receives the next request.
    async fn request(&mut self) -> Request {
        within(self.requests.recv()).await.expect("a request")
    }

    /// Receives the next request, which has this method of JSON-RPC.
    async fn call(&mut self, method: &str) -> Request {
        let request = self.request().await;
        assert_eq!((request.method.as_str(), &request.body["method"]), ("POST", &json!(method)), "{}", request.head);
        request
    }

    fn got_nothing(&mut self) {
        assert!(self.requests.try_recv().is_err());
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Request {
    async fn read(mut stream: TcpStream) -> Option<Self> {
        let (mut head, mut byte) = (Vec::new(), [0]);
        while !head.ends_with(b"\r\n\r\n") {
            stream.read_exact(&mut byte).await.ok()?;
            head.extend(byte);
        }
        let head = String::from_utf8(head).unwrap();
        let length = header_of(&head, "content-length").map_or(0, |length| length.parse().unwrap());
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await.ok()?;
        let body = serde_json::from_slice(&body).unwrap_or_default();
        Some(Self { method: head.split(' ').next().unwrap().to_owned(), head, body, stream })
    }

    fn header(&self, name: &str) -> Option<&str> {
        header_of(&self.head, name)
    }

    /// Sends a response.
    async fn respond(mut self, status: &str, headers: &str, body: &str) {
        let length = body.len();
        let response =
            format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}");
        self.stream.write_all(response.as_bytes()).await.unwrap();
    }

    async fn json(self, message: &Value) {
        self.respond("200 OK", "Content-Type: application/json\r\n", &message.to_string()).await;
    }

    /// Answers a request with a result.
    async fn result(self, result: &Value) {
        let message = json!({"jsonrpc": "2.0", "id": self.body["id"], "result": result});
        self.json(&message).await;
    }

    async fn text(self, text: &str) {
        self.result(&json!({"content": [{"type": "text", "text": text}]})).await;
    }

    async fn accept(self) {
        self.respond("202 Accepted", "", "").await;
    }

    /// Begins a stream of events.
    async fn stream(mut self) -> TcpStream {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
        self.stream.write_all(head.as_bytes()).await.unwrap();
        self.stream
    }
}

fn header_of<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let mut lines = head.lines().filter_map(|line| line.split_once(": "));
    lines.find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.expect("the test does not wait for ever")
}

/// A proxy with its client.
struct Rig {
    read: BufReader<ReadHalf<DuplexStream>>,
    write: Option<WriteHalf<DuplexStream>>,
    proxy: Arc<Proxy>,
    task: JoinHandle<io::Result<ProxyEnd>>,
    stop: Option<oneshot::Sender<()>>,
    remarks: Arc<Mutex<Vec<String>>>,
}

impl Rig {
    fn new(servers: impl Into<Servers>) -> Self {
        Self::with(servers, |proxy| proxy)
    }

    fn with(servers: impl Into<Servers>, settings: impl FnOnce(ProxyBuilder) -> ProxyBuilder) -> Self {
        let remarks: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Arc::clone(&remarks);
        let builder = Proxy::builder().max_message_bytes(100_000);
        let builder = builder.log_with(move |remark| log.lock().unwrap().push(remark.to_owned()));
        let proxy = Arc::new(settings(builder).build().unwrap());
        let (near, far) = duplex(1 << 16);
        let (stop, stopped) = oneshot::channel::<()>();
        let (running, servers) = (Arc::clone(&proxy), servers.into());
        let task = tokio::spawn(async move { running.serve(split(far), servers, async { drop(stopped.await) }).await });
        let (read, write) = split(near);
        Self { read: BufReader::new(read), write: Some(write), proxy, task, stop: Some(stop), remarks }
    }

    async fn send(&mut self, message: Value) {
        self.write.as_mut().unwrap().write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn message(&mut self) -> Value {
        let mut line = String::new();
        within(self.read.read_line(&mut line)).await.unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    async fn initialize(&mut self) {
        self.send(initialize()).await;
    }

    async fn call(&mut self, id: u64, arguments: Value) {
        let params = json!({"name": "add", "arguments": arguments});
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})).await;
    }

    /// Receives the answer to a call, and returns its text and whether it is an error.
    async fn answer(&mut self, id: u64) -> (String, bool) {
        let answer = self.message().await;
        assert_eq!(answer["id"], id, "{answer}");
        let result = &answer["result"];
        (result["content"][0]["text"].as_str().unwrap_or_default().to_owned(), result["isError"] == true)
    }

    /// Begins a session, and lists the tool `add`. The server has no messages that belong to no request.
    async fn begin(&mut self, web: &mut Web) {
        self.initialize().await;
        let request = web.call("initialize").await;
        let body = json!({"jsonrpc": "2.0", "id": request.body["id"], "result": greeting()}).to_string();
        let headers = "Content-Type: application/json\r\nMcp-Session-Id: one\r\n";
        request.respond("200 OK", headers, &body).await;
        self.message().await;
        self.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        web.call("notifications/initialized").await.accept().await;
        let listening = web.request().await;
        assert_eq!(listening.method, "GET");
        listening.respond("405 Method Not Allowed", "", "").await;
        self.list(web).await;
    }

    async fn list(&mut self, web: &mut Web) {
        self.send(json!({"jsonrpc": "2.0", "id": "list", "method": "tools/list"})).await;
        web.call("tools/list").await.result(&tools()).await;
        assert_eq!(self.message().await["result"], tools());
    }

    fn remarks(&self) -> Vec<String> {
        self.remarks.lock().unwrap().clone()
    }

    /// Ends the client.
    async fn end(mut self) -> ProxyEnd {
        self.write.take().unwrap().shutdown().await.unwrap();
        within(self.task).await.unwrap().unwrap()
    }
}

fn initialize() -> Value {
    let client = json!({"name": "test", "version": "0"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
}

fn greeting() -> Value {
    let info = json!({"name": "web", "version": "1"});
    json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info})
}

fn tools() -> Value {
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]});
    json!({"tools": [{"name": "add", "inputSchema": schema}]})
}
