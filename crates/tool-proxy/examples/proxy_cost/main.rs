//! The cost of the proxy: calls through it, and the same calls without it, in one process.
//!
//! `proxy_cost SIDE 1000` makes a thousand calls and prints the median time of one. The sides are those of [`Side`]. The test `cost` counts
//! the allocations, and checks that the memory does not grow.

mod http;

use std::io;
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::runtime::Runtime;
use tool_proxy::{Proxy, VersionTranslation};

use self::http::Client;

const LIST: &str = concat!(
    r#""tools":[{"name":"forecast","description":"Forecasts the weather.","inputSchema":{"type":"object","properties":"#,
    r#"{"city":{"type":"string"},"days":{"type":"integer","minimum":0}},"required":["city","days"],"additionalProperties":false}}]}"#
);

/// The members of `_meta` in requests of protocol version 2026-07-28.
pub(crate) const META: &str = concat!(
    r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
    r#""io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}"#
);

/// The connection between a client and its server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// A pipe in memory.
    Pipe,
    /// The proxy between two streams in memory.
    Proxy,
    /// The proxy between two streams in memory. It translates between a client of protocol version 2026-07-28 and a server of an earlier one.
    Translated,
    /// The server itself over HTTP.
    Direct,
    /// The proxy between a stream in memory and the server over HTTP.
    #[cfg(feature = "remote")]
    Remote,
    /// The proxy over HTTP, with a session.
    Session,
    /// The proxy over HTTP, in protocol version 2026-07-28.
    Stateless,
    /// The proxy over HTTP with a session and one server process, whose work is not counted.
    One,
    /// The proxy over HTTP with a session and three server processes, whose work is not counted.
    Several,
}

impl Side {
    const ALL: &'static [(&'static str, Self)] = &[
        ("pipe", Self::Pipe),
        ("proxy", Self::Proxy),
        ("translated", Self::Translated),
        ("direct", Self::Direct),
        #[cfg(feature = "remote")]
        ("remote", Self::Remote),
        ("session", Self::Session),
        ("stateless", Self::Stateless),
        ("one", Self::One),
        ("several", Self::Several),
    ];

    fn is_modern(self) -> bool {
        matches!(self, Self::Translated | Self::Stateless)
    }
}

enum Connection {
    Streams(WriteHalf<DuplexStream>, BufReader<ReadHalf<DuplexStream>>),
    Http(Client),
}

/// A client whose server answers each call with a new text.
pub(crate) struct Driven {
    runtime: Runtime,
    connection: Connection,
    side: Side,
    line: String,
    calls: usize,
    /// A text in each call.
    padding: String,
}

impl Driven {
    /// Connects the client with the server. Each call has so many bytes more than needed.
    pub(crate) fn connect(side: Side, padding: usize) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let connection = match side {
            Side::Pipe | Side::Proxy | Side::Translated => streams(&runtime, side)?,
            #[cfg(feature = "remote")]
            Side::Remote => runtime.block_on(http::remote())?,
            _ => Connection::Http(runtime.block_on(Client::connect(side))?),
        };
        let padding = "x".repeat(padding);
        let mut driven = Self { runtime, connection, side, line: String::new(), calls: 0, padding };
        if side == Side::Translated {
            let discover =
                format!("{{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"server/discover\",\"params\":{{{META}}}}}\n");
            driven.exchange("server/discover", &discover)?;
        }
        let params = if side.is_modern() { format!(r#","params":{{{META}}}"#) } else { String::new() };
        driven
            .exchange("tools/list", &format!("{{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"tools/list\"{params}}}\n"))?;
        Ok(driven)
    }

    fn exchange(&mut self, method: &str, line: &str) -> io::Result<()> {
        self.line.clear();
        let exchange = async {
            match &mut self.connection {
                Connection::Streams(write, read) => {
                    write.write_all(line.as_bytes()).await?;
                    read.read_line(&mut self.line).await.map(drop)
                }
                Connection::Http(client) => client.exchange(method, line.trim_end(), &mut self.line).await,
            }
        };
        self.runtime.block_on(exchange)
    }

    /// Makes a call, and returns its answer.
    pub(crate) fn call(&mut self) -> io::Result<&str> {
        self.calls += 1;
        let (id, days, padding) = (self.calls, self.calls % 200, &self.padding);
        let name = if self.side == Side::Several { "b_forecast" } else { "forecast" };
        let meta = if self.side.is_modern() { format!(",{META}") } else { String::new() };
        let call = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"{name}\",\"arguments\":{{\"city\":\"Oslo {id}{padding}\",\"days\":{days}}}{meta}}}}}\n"
        );
        self.exchange("tools/call", &call)?;
        Ok(&self.line)
    }
}

fn streams(runtime: &Runtime, side: Side) -> io::Result<Connection> {
    let (near, mut client) = tokio::io::duplex(1 << 16);
    let (mut server, far) = tokio::io::duplex(1 << 16);
    let (read, write) = tokio::io::split(far);
    runtime.spawn(serve(read, write));
    if side == Side::Pipe {
        runtime.spawn(async move { tokio::io::copy_bidirectional(&mut client, &mut server).await });
    } else {
        let setting = if side == Side::Translated { VersionTranslation::Always } else { VersionTranslation::Auto };
        let proxy = Proxy::builder().translate_versions(setting).build().map_err(io::Error::other)?;
        runtime.spawn(async move { proxy.connect_streams(tokio::io::split(client), tokio::io::split(server)).await });
    }
    let (read, write) = tokio::io::split(near);
    Ok(Connection::Streams(write, BufReader::new(read)))
}

/// Answers each line of the client.
pub(crate) async fn serve(read: impl AsyncRead + Unpin, mut write: impl AsyncWrite + Unpin) -> io::Result<()> {
    let mut read = BufReader::new(read);
    let (mut line, mut answer) = (String::new(), String::new());
    while read.read_line(&mut line).await? > 0 {
        answer_to(&line, &mut answer);
        if !answer.is_empty() {
            write.write_all(answer.as_bytes()).await?;
            write.flush().await?;
        }
        line.clear();
    }
    Ok(())
}

/// Writes the answer to a line. A notification has none.
pub(crate) fn answer_to(line: &str, answer: &mut String) {
    answer.clear();
    let Some((_, rest)) = line.split_once("\"id\":") else { return };
    let id = rest.split([',', '}']).next().unwrap_or_default();
    answer.push_str("{\"jsonrpc\":\"2.0\",\"id\":");
    answer.push_str(id);
    if line.contains("server/discover") {
        answer.push_str(",\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}\n");
        return;
    }
    answer.push_str(",\"result\":{");
    if line.contains("io.modelcontextprotocol") {
        answer.push_str("\"resultType\":\"complete\",");
    }
    if line.contains("tools/call") {
        answer.push_str("\"content\":[{\"type\":\"text\",\"text\":\"Rain, ");
        answer.push_str(id);
        answer.push_str("\"}]}");
    } else if line.contains("tools/list") {
        answer.push_str(LIST);
    } else {
        answer.push_str("\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}");
    }
    answer.push_str("}\n");
}

#[allow(dead_code, reason = "the test `cost` includes this file")]
fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    if name == "serve" {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        return runtime.block_on(serve(tokio::io::stdin(), tokio::io::stdout()));
    }
    let side = Side::ALL.iter().find(|(own, _)| *own == name).map(|(_, side)| *side);
    let names = Side::ALL.iter().map(|(own, _)| *own).collect::<Vec<_>>().join(", ");
    let side = side.ok_or_else(|| io::Error::other(format!("the sides are {names}")))?;
    let calls = arguments.next().and_then(|calls| calls.parse().ok()).unwrap_or(1_000);
    let mut driven = Driven::connect(side, 0)?;
    let mut times: Vec<Duration> = Vec::with_capacity(calls);
    for _ in 0..calls {
        let begun = Instant::now();
        let answer = driven.call()?;
        times.push(begun.elapsed());
        if !answer.contains("Rain, ") {
            return Err(io::Error::other(answer.to_owned()));
        }
    }
    times.sort_unstable();
    println!("median of {calls} calls: {:?}", times.get(calls / 2).copied().unwrap_or_default());
    Ok(())
}
