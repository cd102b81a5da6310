//! The cost of the proxy: calls through it, and through a bare pipe between the same client and server, over streams in memory.
//!
//! `proxy_cost proxy 1000` or `proxy_cost pipe 1000` makes a thousand calls and prints the median time of one. The test `proxy_cost` counts the
//! allocations, and checks that the memory does not grow.

use std::io;
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::runtime::Runtime;
use tool_mcp::proxy::Proxy;

const LIST: &str = concat!(
    r#"{"tools":[{"name":"forecast","description":"Forecasts the weather.","inputSchema":{"type":"object","properties":"#,
    r#"{"city":{"type":"string"},"days":{"type":"integer","minimum":0}},"required":["city","days"],"additionalProperties":false}}]}"#
);

/// A client whose server answers each call with a new text.
pub(crate) struct Driven {
    runtime: Runtime,
    write: WriteHalf<DuplexStream>,
    read: BufReader<ReadHalf<DuplexStream>>,
    line: String,
    calls: usize,
    /// A text in each call.
    padding: String,
}

impl Driven {
    /// Connects the client with the server, through the proxy or through a pipe. Each call has so many bytes more than needed.
    pub(crate) fn connect(is_proxied: bool, padding: usize) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (near, mut client) = tokio::io::duplex(1 << 16);
        let (mut server, far) = tokio::io::duplex(1 << 16);
        runtime.spawn(serve(far));
        if is_proxied {
            let proxy = Proxy::builder().build().map_err(io::Error::other)?;
            runtime.spawn(async move { proxy.streams(tokio::io::split(client), tokio::io::split(server)).await });
        } else {
            runtime.spawn(async move { tokio::io::copy_bidirectional(&mut client, &mut server).await });
        }
        let (read, write) = tokio::io::split(near);
        let read = BufReader::new(read);
        let mut driven = Self { runtime, write, read, line: String::new(), calls: 0, padding: "x".repeat(padding) };
        driven.exchange("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"tools/list\"}\n")?;
        Ok(driven)
    }

    fn exchange(&mut self, lines: &str) -> io::Result<()> {
        self.line.clear();
        let exchange = async {
            self.write.write_all(lines.as_bytes()).await?;
            self.read.read_line(&mut self.line).await
        };
        self.runtime.block_on(exchange).map(drop)
    }

    /// Makes a call, and returns its answer.
    pub(crate) fn call(&mut self) -> io::Result<&str> {
        self.calls += 1;
        let (id, days, padding) = (self.calls, self.calls % 200, &self.padding);
        let call = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"forecast\",\"arguments\":{{\"city\":\"Oslo {id}{padding}\",\"days\":{days}}}}}}}\n"
        );
        self.exchange(&call)?;
        Ok(&self.line)
    }
}

/// Answers each line of the client.
async fn serve(stream: DuplexStream) -> io::Result<()> {
    let (read, mut write) = tokio::io::split(stream);
    let mut read = BufReader::new(read);
    let (mut line, mut answer) = (String::new(), String::new());
    while read.read_line(&mut line).await? > 0 {
        let id = line.split_once("\"id\":").and_then(|(_, rest)| rest.split(',').next()).unwrap_or_default();
        answer.clear();
        answer.push_str("{\"jsonrpc\":\"2.0\",\"id\":");
        answer.push_str(id);
        answer.push_str(",\"result\":");
        if line.contains("tools/list") {
            answer.push_str(LIST);
        } else {
            answer.push_str("{\"content\":[{\"type\":\"text\",\"text\":\"Rain, ");
            answer.push_str(id);
            answer.push_str("\"}]}");
        }
        answer.push_str("}\n");
        write.write_all(answer.as_bytes()).await?;
        line.clear();
    }
    Ok(())
}

#[allow(dead_code, reason = "the test `proxy_cost` includes this file")]
fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let is_proxied = arguments.next().as_deref() == Some("proxy");
    let calls = arguments.next().and_then(|calls| calls.parse().ok()).unwrap_or(1_000);
    let mut driven = Driven::connect(is_proxied, 0)?;
    let mut times: Vec<Duration> = Vec::with_capacity(calls);
    for _ in 0..calls {
        let begun = Instant::now();
        driven.call()?;
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    println!("median of {calls} calls: {:?}", times.get(calls / 2).copied().unwrap_or_default());
    Ok(())
}
