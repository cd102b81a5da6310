//! A test server for one client: it sends prepared answers, one per connection, and records the requests.
//!
//! It listens only on 127.0.0.1, and stops when it is dropped.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use serde_json::Value;

/// An answer to one request.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: String,
    /// The `content-length`. Without it, the body ends with the connection.
    length: Option<usize>,
}

impl Reply {
    pub(crate) fn json(body: impl Into<String>) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type", "application/json".to_owned())],
            body: body.into(),
            length: None,
        }
    }

    pub(crate) fn events(body: impl Into<String>) -> Self {
        Self { headers: vec![("content-type", "text/event-stream".to_owned())], ..Self::json(body) }
    }

    /// Returns events without names.
    pub(crate) fn data(events: &[Value]) -> Self {
        Self::events(events.iter().fold(String::new(), |body, event| body + &format!("data: {event}\n\n")))
    }

    pub(crate) fn html(body: &str) -> Self {
        Self { headers: vec![("content-type", "text/html".to_owned())], ..Self::json(body) }
    }

    pub(crate) fn status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// Simulates a connection that breaks before the end.
    pub(crate) fn broken(self) -> Self {
        let length = Some(self.body.len() + 100);
        Self { length, ..self }
    }
}

/// A recorded request.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: Value,
    /// The bytes of the body.
    pub(crate) text: String,
}

pub(crate) struct Server {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub(crate) fn start(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::judging(replies, |_| None)
    }

    /// Creates a server that may reject requests. If the judge returns a reply, the server sends it, and keeps the prepared reply for the
    /// next request.
    pub(crate) fn judging(
        replies: impl IntoIterator<Item = Reply>,
        judge: impl Fn(&Asked) -> Option<Reply> + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port on this machine");
        let address = listener.local_addr().expect("an address");
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (replies, kept) = (replies.into_iter().collect::<Vec<_>>(), Arc::clone(&asked));
        let thread = std::thread::spawn(move || {
            let mut replies = replies.into_iter().peekable();
            while replies.peek().is_some() {
                let Ok((stream, _)) = listener.accept() else { return };
                // The connection that stops the server carries no request.
                let Some(request) = read(&stream) else { return };
                let rejection = judge(&request);
                kept.lock().expect("no test panics here").push(request);
                if let Some(reply) = rejection.or_else(|| replies.next()) {
                    write(&stream, &reply);
                }
            }
        });
        Self { address, asked, thread: Some(thread) }
    }

    pub(crate) fn address(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("no test panics here").clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

pub(crate) fn read(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = HashMap::new();
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let text = String::from_utf8(body).ok()?;
    Some(Asked { path, headers, body: serde_json::from_str(&text).ok()?, text })
}

fn write(mut stream: &TcpStream, reply: &Reply) {
    let mut head = format!("HTTP/1.1 {} Status\r\nconnection: close\r\n", reply.status);
    let length = reply.length.map(|length| ("content-length", length.to_string()));
    for (name, value) in reply.headers.iter().chain(&length) {
        head.extend([name, ": ", value, "\r\n"]);
    }
    // This fails if the client has already closed the connection, which is not an error.
    let _ = stream.write_all(format!("{head}\r\n{}", reply.body).as_bytes());
    let _ = stream.flush();
}
