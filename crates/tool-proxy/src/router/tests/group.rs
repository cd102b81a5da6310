//! Several running servers behind a guard: the test plays the client and the servers.

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex, split};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::super::super::ProxyBuilder;
use super::super::super::connection::Connection;
use super::super::super::outbox::Outbox;
use super::super::super::run::{run_streams, serve_all};
use super::super::super::servers::{Server, Started};
use super::super::super::settings::Restart;
use super::*;

/// The time after which a line that does not come fails the test.
const PATIENCE: Duration = Duration::from_secs(120);

/// The client, or a server, as a peer of the proxy.
pub(super) struct Peer {
    read: BufReader<ReadHalf<DuplexStream>>,
    write: WriteHalf<DuplexStream>,
}

impl Peer {
    /// Returns a peer, and the other end of its connection.
    pub(super) fn new() -> (Self, DuplexStream) {
        let (near, far) = duplex(1 << 16);
        let (read, write) = split(near);
        (Self { read: BufReader::new(read), write }, far)
    }

    pub(super) async fn send(&mut self, line: impl AsRef<[u8]>) {
        self.write.write_all(line.as_ref()).await.unwrap();
        self.write.write_all(b"\n").await.unwrap();
    }

    pub(super) async fn line(&mut self) -> String {
        let mut line = String::new();
        tokio::time::timeout(PATIENCE, self.read.read_line(&mut line)).await.expect("a line").unwrap();
        line.truncate(line.trim_end().len());
        line
    }

    pub(super) async fn message(&mut self) -> Value {
        let line = self.line().await;
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Answers the next request, which has this method.
    pub(super) async fn answer(&mut self, method: &str, result: &Value) {
        let request = self.message().await;
        assert_eq!(request["method"], method, "{request}");
        self.send(json!({"jsonrpc": "2.0", "id": request["id"], "result": result}).to_string()).await;
    }

    /// Answers the next request, which is for the list of tools.
    pub(super) async fn list(&mut self, names: &[&str]) {
        let tools: Vec<Value> =
            names.iter().map(|name| json!({"name": name, "inputSchema": {"type": "object"}})).collect();
        self.answer("tools/list", &json!({"tools": tools})).await;
    }
}

/// A proxy in front of two servers, `files` and `time`.
pub(super) struct Group {
    pub(super) client: Peer,
    pub(super) files: Peer,
    pub(super) time: Peer,
    /// The servers that are started later, with their indices.
    pub(super) started: mpsc::UnboundedReceiver<(usize, Peer)>,
    pub(super) proxy: Arc<Proxy>,
    remarks: Arc<Mutex<Vec<String>>>,
    _task: JoinHandle<()>,
}

impl Group {
    /// Starts the proxy and both servers.
    pub(super) async fn new(settings: impl FnOnce(ProxyBuilder) -> ProxyBuilder) -> Self {
        let remarks: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Arc::clone(&remarks);
        let builder = Proxy::builder().log_with(move |remark| log.lock().unwrap().push(remark.to_owned()));
        let proxy = Arc::new(settings(builder).build().unwrap());
        let (starting, mut started) = mpsc::unbounded_channel();
        let (client, far) = Peer::new();
        let layers = Arc::clone(&proxy.layers);
        let task = tokio::spawn(async move {
            let names = ["files", "time"];
            let prefixes = names.map(|name| (name.to_owned(), format!("{name}_")));
            let connection = Arc::new(Connection::new(layers, Outbox::default(), Some(prefixes.into())));
            let servers = (0..names.len()).map(|index| {
                let starting = starting.clone();
                let start = move || -> std::io::Result<Server> {
                    let (peer, far) = Peer::new();
                    let (output, input) = split(far);
                    starting.send((index, peer)).map_err(std::io::Error::other)?;
                    Ok(Server::Streams { output: Box::new(output), input: Box::new(input), process: None })
                };
                Started { first: start().ok(), start: Box::new(start) }
            });
            let serving = serve_all(Arc::clone(&connection), servers.collect());
            run_streams(&connection, split(far), serving, std::future::pending()).await;
        });
        let (_, files) = started.recv().await.unwrap();
        let (_, time) = started.recv().await.unwrap();
        Self { client, files, time, started, proxy, remarks, _task: task }
    }

    /// Starts the proxy and both servers, and makes the handshake.
    pub(super) async fn greeted(settings: impl FnOnce(ProxyBuilder) -> ProxyBuilder) -> Self {
        let mut group = Self::new(settings).await;
        group.client.send(INITIALIZE).await;
        for server in [&mut group.files, &mut group.time] {
            server.answer("initialize", &greeted("2025-11-25")).await;
        }
        assert_eq!(group.client.message().await["result"]["protocolVersion"], "2025-11-25");
        group.client.send(INITIALIZED).await;
        for server in [&mut group.files, &mut group.time] {
            assert_eq!(server.line().await, INITIALIZED);
        }
        group
    }

    /// Starts the proxy and both servers, each of which has a tool `get`, and lets the client list the tools.
    pub(super) async fn listed(settings: impl FnOnce(ProxyBuilder) -> ProxyBuilder) -> Self {
        let mut group = Self::greeted(settings).await;
        group.client.send(LIST).await;
        group.files.list(&["get"]).await;
        group.time.list(&["get"]).await;
        assert_eq!(names(&group.client.message().await), ["files_get", "time_get"]);
        group
    }

    /// Checks that a call reaches `time`, and that its answer reaches the client.
    pub(super) async fn time_works(&mut self, id: u64) {
        self.client.send(call(id, "time_get")).await;
        self.time.answer("tools/call", &json!({"content": []})).await;
        let answer = self.client.message().await;
        assert_eq!((&answer["id"], &answer["result"]), (&json!(id), &json!({"content": []})), "{answer}");
    }

    pub(super) fn has_remark(&self, part: &str) -> bool {
        self.remarks.lock().unwrap().iter().any(|remark| remark.contains(part))
    }
}

pub(super) fn greeted(version: &str) -> Value {
    let capabilities = json!({"tools": {}, "resources": {}});
    json!({"protocolVersion": version, "capabilities": capabilities, "serverInfo": {"name": "x", "version": "1"}})
}

#[tokio::test]
async fn stray_answers_and_bad_lines_of_each_server_are_counted() {
    let mut group = Group::listed(ProxyBuilder::no_throttle).await;
    group.client.send(call(1, "files_get")).await;
    group.files.message().await;
    group.time.send(answer(1, "{}")).await;
    group.time.send(answer(7, "{}")).await;
    group.time.send("Listening on port 8080 …").await;
    group.time.send(r#"[{"id":1,"result":{}}]"#).await;
    group.time_works(2).await;
    group.files.send(answer(1, r#"{"content":[]}"#)).await;
    assert_eq!(group.client.message().await["id"], 1);
    group.files.send(answer(1, r#"{"content":[]}"#)).await;
    group.files.send(r#"{"id":3,"method":"roots/list","method":"x"}"#).await;
    assert_eq!(group.files.message().await["error"]["code"], -32_600);
    let report = group.proxy.report();
    assert_eq!((report.stray_answers, report.bad_lines), (3, 3));
}

#[tokio::test]
async fn a_line_of_100_mib_ends_only_its_own_request() {
    let mut group = Group::listed(ProxyBuilder::no_throttle).await;
    group.client.send(call(1, "files_get")).await;
    group.files.message().await;
    let block = vec![b'x'; 10 << 20];
    let flood = async {
        group.files.send(&block).await;
        let begin = br#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":""#;
        group.files.write.write_all(begin).await.unwrap();
        for _ in 0..10 {
            group.files.write.write_all(&block).await.unwrap();
        }
        group.files.send(r#""}]}}"#).await;
    };
    let ((), answer) = tokio::join!(flood, group.client.message());
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(1), &json!(true)), "{answer}");
    assert!(answer.to_string().contains("8388608 bytes. The call may have taken effect."), "{answer}");
    group.time_works(2).await;
    assert_eq!((group.proxy.report().bad_lines, group.proxy.report().stray_answers), (2, 0));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_ends_again_and_again_is_given_up() {
    let restart = Restart { attempts: 3, pause: Duration::from_secs(1) };
    let mut group = Group::listed(|proxy| proxy.no_throttle().restart(restart)).await;
    group.client.send(call(1, "files_get")).await;
    group.files.message().await;
    drop(std::mem::replace(&mut group.files, Peer::new().0));
    assert_eq!(group.client.message().await["result"]["isError"], true);
    for _ in 0..restart.attempts {
        let (index, server) = group.started.recv().await.unwrap();
        assert_eq!(index, 0);
        drop(server);
    }
    while !group.has_remark("files: the server has ended: it closed its output") || group.started.try_recv().is_ok() {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert!(group.started.is_empty());
    // The client learns once that the tools have gone.
    assert_eq!(group.client.message().await["method"], "notifications/tools/list_changed");
    assert_eq!(group.client.message().await["method"], "notifications/resources/list_changed");
    group.client.send(call(2, "files_get")).await;
    group.time.list(&["get"]).await;
    let answer = group.client.message().await;
    assert_eq!(answer["result"]["content"][0]["text"], "The MCP server files is not running.");
    group.time_works(3).await;
}

#[tokio::test]
async fn a_changed_list_of_one_server_is_used_for_the_next_call() {
    let mut group = Group::listed(ProxyBuilder::no_throttle).await;
    let changed = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    group.files.send(changed).await;
    assert_eq!(group.client.line().await, changed);
    group.client.send(call(1, "files_put")).await;
    group.files.list(&["get", "put"]).await;
    group.time.list(&["get"]).await;
    group.files.answer("tools/call", &json!({"content": []})).await;
    assert_eq!(group.client.message().await["result"], json!({"content": []}));
    assert_eq!(group.proxy.report().tools["files_put"].calls, 1);
}
