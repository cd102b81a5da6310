//! Tests with servers that send endless or very slow answers: every answer ends within the limits, and the future yields.

use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;

use serde_json::json;
use tool_adapters::GenAi;
use tool_chat::model::{ModelError, ModelErrorKind};

use super::answers::ask;
use super::dialect::ALL;
use super::server::{Reply, Server};

/// The number of bytes after which the test server stops. No client may read this many bytes.
const CAP: u64 = 256 << 20;
/// The maximum number of bytes in socket buffers when a client closes the connection.
const BUFFERS: u64 = 24 << 20;
const EVENTS: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
const JSON: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n";

/// A server that sends the beginning of an answer, and then repeats a text until the client closes the connection.
struct Endless {
    address: SocketAddr,
    sent: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl Endless {
    fn start(begin: String, again: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port on this machine");
        let address = listener.local_addr().expect("an address");
        let sent = Arc::new(AtomicU64::new(0));
        let (count, again) = (Arc::clone(&sent), again.repeat(65_536 / again.len()));
        let thread = std::thread::spawn(move || {
            let Ok((mut stream, _)) = listener.accept() else { return };
            if super::server::read(&stream).is_none() || stream.write_all(begin.as_bytes()).is_err() {
                return;
            }
            while count.load(Ordering::Relaxed) < CAP && stream.write_all(again.as_bytes()).is_ok() {
                count.fetch_add(again.len() as u64, Ordering::Relaxed);
            }
        });
        Self { address, sent, thread: Some(thread) }
    }

    fn model(&self) -> GenAi {
        GenAi::openai_compatible(&format!("http://{}/v1", self.address), "test-model", None)
    }

    /// Returns the number of bytes that were sent until the client closed the connection.
    fn sent(mut self) -> u64 {
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server does not panic");
        }
        self.sent.load(Ordering::Relaxed)
    }
}

impl Drop for Endless {
    fn drop(&mut self) {
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

async fn rejected(begin: &str, again: &str, streams: bool, limits: impl Fn(GenAi) -> GenAi) -> (ModelError, u64) {
    let server = Endless::start(begin.to_owned(), again);
    let model = limits(server.model());
    let error = ask(&model, streams).await.expect_err("no answer");
    drop(model);
    (error, server.sent())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_that_never_ends_is_an_error() {
    // A single line, a line that looks like data, and an event of many lines.
    for again in ["x", "data: x", "data: {}\n", "data: {}\r\n", ": ping\r"] {
        let (error, sent) = rejected(EVENTS, again, true, |model| model).await;
        assert_eq!(error.kind, ModelErrorKind::Malformed, "{again:?} {error}");
        assert_eq!(error.message, "an event of the stream is longer than 4194304 bytes", "{again:?}");
        assert!(sent < BUFFERS, "{again:?} {sent}");
    }
    let (error, _) = rejected(EVENTS, "x", true, |model| model.max_event_bytes(1_000)).await;
    assert_eq!(error.message, "an event of the stream is longer than 1000 bytes");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_that_never_ends_is_an_error_in_every_dialect() {
    for dialect in ALL {
        let server = Server::start([Reply::events("x".repeat(5 << 20))]);
        let error = ask(&dialect.model(&server), true).await.expect_err("no answer");
        assert_eq!(error.message, "an event of the stream is longer than 4194304 bytes", "{dialect:?}");
        let server = Server::start([Reply::json("[".repeat(5 << 20))]);
        let error = ask(&dialect.model(&server), false).await.expect_err("no answer");
        assert_eq!(error.message, "the answer is longer than 4194304 bytes", "{dialect:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_never_ends_is_an_error() {
    let (error, sent) = rejected(JSON, " ", false, |model| model).await;
    assert_eq!(error.kind, ModelErrorKind::Malformed, "{error}");
    assert_eq!(error.message, "the answer is longer than 4194304 bytes");
    assert!(sent < BUFFERS, "{sent}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_that_never_ends_is_an_error() {
    let text = format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": {"content": "a"}}]}));
    for again in [": ping\n\n", "\n", "data: {}\n\n", &text] {
        let (error, sent) = rejected(EVENTS, again, true, |model| model.max_stream_bytes(1 << 20)).await;
        assert_eq!(error.kind, ModelErrorKind::Malformed, "{again:?} {error}");
        assert_eq!(error.message, "the answer is longer than 1048576 bytes", "{again:?}");
        assert!(sent < BUFFERS, "{again:?} {sent}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn headers_that_never_end_are_an_error() {
    for (begin, again) in [("HTTP/1.1 200 OK\r\n", "x-more: and more\r\n"), ("HTTP/1.1 200 OK\r\nx: ", "x"), ("", "x")]
    {
        for streams in [false, true] {
            let (error, sent) = rejected(begin, again, streams, |model| model).await;
            assert_eq!(error.kind, ModelErrorKind::Transport, "{begin:?} {error}");
            assert!(sent < BUFFERS, "{begin:?} {sent}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_endless_error_answer_is_reported_as_that_error() {
    let head = "HTTP/1.1 429 Slow Down\r\nretry-after: 7\r\n\r\n";
    for streams in [false, true] {
        let (error, sent) = rejected(head, "x", streams, |model| model).await;
        let retry_after = Some(std::time::Duration::from_secs(7));
        assert_eq!(error.kind, ModelErrorKind::RateLimited { retry_after }, "{error}");
        assert!(error.message.starts_with("status 429: xxx") && error.message.len() < 500, "{error}");
        assert!(sent < BUFFERS, "{sent}");
    }
}

/// The time limit of a turn is a future that is polled together with the answer, so it only fires if the answer yields.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_futures_are_polled_during_an_endless_answer() {
    let text = format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": {"content": "a"}}]}));
    for (head, again, streams) in
        [(EVENTS, "x", true), (EVENTS, ": ping\n\n", true), (EVENTS, &*text, true), (JSON, "x", false)]
    {
        let server = Endless::start(head.to_owned(), again);
        let model = server.model().max_event_bytes(usize::MAX).max_stream_bytes(usize::MAX);
        let others = async {
            // Wait until the answer has begun.
            while server.sent.load(Ordering::Relaxed) < 4 << 20 {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            biased;
            answer = ask(&model, streams) => panic!("nothing ends it: {answer:?}"),
            () = others => {}
        }
        drop(model);
        // Dropping the future closed the connection.
        assert!(server.sent() < CAP, "{again:?}");
    }
}

#[tokio::test]
async fn an_answer_can_arrive_byte_by_byte() {
    for dialect in ALL {
        let body = dialect.stream("It is raining.", &[]);
        let bytes = body.chars().fold(String::new(), |bytes, char| bytes + &format!("1\r\n{char}\r\n"));
        let server = Server::start([Reply::events(format!("{bytes}0\r\n\r\n")).header("transfer-encoding", "chunked")]);
        let answer = ask(&dialect.model(&server), true).await.expect("an answer");
        assert_eq!(answer.text, "It is raining.", "{dialect:?}");
    }
}

#[tokio::test]
async fn a_connection_that_is_closed_at_once_is_an_error() {
    for streams in [false, true] {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port on this machine");
        let address = listener.local_addr().expect("an address");
        let thread = std::thread::spawn(move || drop(listener.accept()));
        let model = GenAi::openai_compatible(&format!("http://{address}/v1"), "test-model", None);
        let error = ask(&model, streams).await.expect_err("no answer");
        assert_eq!(error.kind, ModelErrorKind::Transport, "{error}");
        thread.join().expect("the server does not panic");
    }
}
