//! Connections to programs that are not Restate servers. The calls run, at most one question is sent, and the credentials of the host appear
//! neither in an event nor in an answer.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use tool_durable::IngressHealth;
use tool_runtime::clock::TokioClock;
use tool_runtime::event::{Observer, ToolEvent};
use tool_runtime::session::SessionSetup;
use tool_runtime::{Toolbox, tool};

use crate::http::{SECRET, post};

/// A program that accepts connections on a loopback port. It stops when this value is dropped.
struct Peer {
    port: u16,
    connections: Arc<AtomicUsize>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Peer {
    fn start(answer: fn(TcpStream) -> std::io::Result<()>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let (connections, is_over) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let (count, over) = (Arc::clone(&connections), Arc::clone(&is_over));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::Acquire) {
                    return;
                }
                count.fetch_add(1, Ordering::Relaxed);
                // The client may close the connection at any moment.
                let _ = stream.and_then(answer);
            }
        });
        Self { port, connections, is_over, thread: Some(thread) }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Reads until the client closes the connection.
fn never_answers(mut stream: TcpStream) -> std::io::Result<()> {
    std::io::copy(&mut stream, &mut std::io::sink()).map(drop)
}

/// Reads the request, whose body ends with `}`.
fn read_request(stream: &mut TcpStream) -> std::io::Result<()> {
    let (mut byte, mut last) = ([0], 0);
    while last != b'}' {
        if stream.read(&mut byte)? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        last = byte[0];
    }
    Ok(())
}

fn fails(mut stream: TcpStream) -> std::io::Result<()> {
    read_request(&mut stream)?;
    stream.write_all(b"HTTP/1.1 500 Internal Server Error\r\n\r\n{\"admitted\":{\"permit\":{}}}")
}

fn closes(mut stream: TcpStream) -> std::io::Result<()> {
    read_request(&mut stream)?;
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-le")
}

fn answers_100_mib(mut stream: TcpStream) -> std::io::Result<()> {
    read_request(&mut stream)?;
    stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n")?;
    (0..100).try_for_each(|_| stream.write_all(&vec![b'['; 1 << 20]))
}

fn answers_a_page(mut stream: TcpStream) -> std::io::Result<()> {
    read_request(&mut stream)?;
    stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n<html>Please log in.</html>")
}

/// Returns the weather.
#[tool]
fn forecast() -> &'static str {
    "sunny"
}

#[derive(Clone, Default)]
struct Events(Arc<Mutex<Vec<String>>>);

impl Observer for Events {
    fn event(&self, event: &ToolEvent<'_>) {
        self.0.lock().expect("no test panics").push(format!("{event:?}"));
    }
}

#[test]
fn calls_run_whatever_answers_at_the_address() {
    let (short, long) = (Duration::from_millis(20), Duration::from_secs(3_600));
    let late = "the server has not answered in time, or the request has failed";
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("threads can be started");
    for (answer, limit, reason) in [
        (never_answers as fn(TcpStream) -> std::io::Result<()>, short, late),
        (fails, long, late),
        (closes, long, late),
        (answers_100_mib, long, "the answer is too long"),
        (answers_a_page, long, "the answer is not a decision"),
    ] {
        let (peer, events) = (Peer::start(answer), Events::default());
        let port = peer.port;
        let health = IngressHealth::new(
            TokioClock::new(),
            move |request| post(port, request),
            |report| {
                drop(tokio::spawn(report));
            },
        );
        let health = health.expect("the clock has a timer").time_limit(limit);
        assert!(!format!("{health:?}").contains(SECRET));
        let builder = Toolbox::builder().tool(ForecastTool).observer(events.clone());
        let toolbox = builder.build().expect("the registration is valid");
        let session = toolbox.begin_session(SessionSetup::new().shared_health(health)).expect("no state is missing");
        runtime.block_on(async {
            for call_id in ["first", "second"] {
                assert_eq!(session.call(call_id, "forecast", "{}").await.to_text(), "sunny", "{reason}");
            }
        });
        let events = events.0.lock().expect("no test panics").join("\n");
        let count = |reason| events.matches(reason).count();
        assert_eq!((count(reason), count("the server has not decided lately")), (1, 1), "{events}");
        assert!(!events.contains(SECRET), "{events}");
        assert_eq!(peer.connections.load(Ordering::Relaxed), 1, "{reason}");
    }
}
