//! A Restate server on free loopback ports with a temporary folder, and the HTTP requests that the tests send to it.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::http;

/// The maximum time that a test waits for something.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server. It stops when this value is dropped.
pub(crate) struct Server {
    process: Child,
    pub(crate) folder: PathBuf,
    pub(crate) ingress: u16,
    admin: u16,
    node: u16,
}

pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("it is bound").port()
}

impl Server {
    pub(crate) fn start() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("tool-durable-restate-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("the folder can be created");
        let (ingress, admin, node) = (free_port(), free_port(), free_port());
        let process = launch(&folder, ingress, admin, node);
        let server = Self { process, folder, ingress, admin, node };
        server.wait_until_ready();
        server
    }

    fn wait_until_ready(&self) {
        until("the server answers", || {
            let answers = |port, path| request(port, "GET", path, None).is_ok_and(|(status, _)| status == 200);
            (answers(self.admin, "/health") && answers(self.ingress, "/restate/health")).then_some(())
        });
    }

    /// Kills the server.
    pub(crate) fn stop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    /// Starts the server again after [`stop`](Self::stop), with the same ports and the same data.
    pub(crate) fn restart(&mut self) {
        self.process = launch(&self.folder, self.ingress, self.admin, self.node);
        self.wait_until_ready();
    }

    /// Registers the handlers of a worker.
    pub(crate) fn register(&self, port: u16) {
        let body = format!(r#"{{"uri":"http://127.0.0.1:{port}","force":true}}"#);
        until("the worker is registered", || {
            request(self.admin, "POST", "/deployments", Some(&body)).is_ok_and(|(status, _)| status < 300).then_some(())
        });
    }

    /// Calls a handler of a conversation.
    pub(crate) fn call(&self, id: &str, handler: &str, body: Option<&Value>) -> (u16, Value) {
        self.post(&format!("ToolConversation/{id}/{handler}"), body)
    }

    /// Calls a handler, given by its path.
    pub(crate) fn post(&self, path: &str, body: Option<&Value>) -> (u16, Value) {
        let body = body.map(Value::to_string);
        let path = format!("/{path}");
        let (status, text) = request(self.ingress, "POST", &path, body.as_deref()).expect("the server answers");
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// Waits until no call runs in an invocation of its own.
    pub(crate) fn wait_for_calls(&self) {
        let sql = "SELECT id FROM sys_invocation WHERE target_service_name = 'ToolCalls' AND status != 'completed'";
        let query = json!({"query": sql}).to_string();
        until("the calls end", || {
            let (status, found) = request(self.admin, "POST", "/query", Some(&query)).expect("the server answers");
            assert_eq!(status, 200, "{found}");
            let found: Value = serde_json::from_str(&found).expect("the answer is JSON");
            found["rows"].as_array().is_some_and(Vec::is_empty).then_some(())
        });
    }

    /// Cancels an invocation.
    pub(crate) fn cancel(&self, invocation: &str) {
        let path = format!("/invocations/{invocation}/cancel");
        let (status, text) = request(self.admin, "PATCH", &path, None).expect("the server answers");
        assert!(status < 300, "{status}: {text}");
    }

    /// Waits until this number of calls of a conversation wait for the host, and returns these calls.
    pub(crate) fn waiting(&self, id: &str, count: usize) -> Vec<Value> {
        until("calls wait", || {
            let (_, waiting) = self.call(id, "waiting", None);
            waiting.as_array().filter(|calls| calls.len() == count).cloned()
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

fn launch(folder: &Path, ingress: u16, admin: u16, node: u16) -> Child {
    let program = std::env::var("RESTATE_SERVER").expect("RESTATE_SERVER is the path of the server");
    let log = fs::File::options().append(true).create(true).open(folder.join("server.log"));
    let log = log.expect("the folder can be written");
    Command::new(program)
        .args(["--no-logo", "--listen-mode", "tcp", "--bind-ip", "127.0.0.1", "--advertised-host", "127.0.0.1"])
        .args(["--node-name", "test", "--bind-port", &node.to_string()])
        .env("RESTATE_BASE_DIR", folder.join("data"))
        .env("RESTATE_INGRESS__BIND_PORT", ingress.to_string())
        .env("RESTATE_ADMIN__BIND_PORT", admin.to_string())
        .env("RESTATE_DISABLE_TELEMETRY", "true")
        .env("RESTATE_DEFAULT_NUM_PARTITIONS", "4")
        .env("RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE", "256MiB")
        // So that the server needs several connections, which the system spreads over the workers of a port.
        .env("RESTATE_HTTP2_STREAMS_PER_CONNECTION_LIMIT", "8")
        .env("RESTATE_DEFAULT_RETRY_POLICY__INITIAL_INTERVAL", "20ms")
        .env("RESTATE_DEFAULT_RETRY_POLICY__MAX_INTERVAL", "200ms")
        .stdout(log.try_clone().expect("a file has two handles"))
        .stderr(log)
        .stdin(Stdio::null())
        .spawn()
        .expect("the server can be started")
}

/// Repeats a check until it returns a value. Fails after [`PATIENCE`].
pub(crate) fn until<T>(expected: &str, mut happened: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(result) = happened() {
            return result;
        }
        assert!(begun.elapsed() < PATIENCE, "{expected}: not after {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Sends an HTTP request and returns the status and the body of the answer.
fn request(port: u16, method: &str, path: &str, body: Option<&str>) -> std::io::Result<(u16, String)> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let content = body
        .map_or(String::new(), |body| format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len()));
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\naccept: application/json\r\n{content}\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.unwrap_or_default().as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    http::parsed(&answer)
}
