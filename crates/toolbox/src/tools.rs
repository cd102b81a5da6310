//! `toolbox tools`: prints the tools that an MCP server lists, as definitions for the other subcommands.
//!
//! The server speaks any revision of the protocol: a proxy without a guard of its own translates.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf, duplex, split};
use tokio::time::timeout;
use tool_proxy::Proxy;
#[cfg(feature = "url")]
use tool_runtime::{Dialect, tool::ToolSpec};

#[cfg(feature = "url")]
use super::complaint::complain;
use super::ending::{CheckError, Ending};
use super::input::InputError;
use super::options::ServerOptions;
use super::search_path;

/// The time that a server has for each answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// The maximum number of pages of a list.
const MOST_PAGES: u64 = 1_000;

pub(super) fn tools(options: &ServerOptions, out: &mut dyn Write) -> Result<Ending, CheckError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let listing = async {
        match &options.url {
            Some(url) => of_url(url).await,
            None => listed(&options.command).await,
        }
    };
    let tools = runtime.block_on(listing).map_err(|reason| CheckError::Input(InputError::Other(reason)))?;
    writeln!(out, "{{\"tools\": [")?;
    for (index, tool) in tools.iter().enumerate() {
        writeln!(out, "{tool}{}", if index + 1 < tools.len() { "," } else { "" })?;
    }
    writeln!(out, "]}}")?;
    Ok(Ending::Done)
}

/// Returns the tools of a server with a URL.
#[cfg(feature = "url")]
async fn of_url(url: &str) -> Result<Vec<Value>, String> {
    let server = tool_mcp::connect("server", tool_mcp::client::Endpoint::http(url))
        .prefix("")
        .connect_timeout(PATIENCE)
        .await
        .map_err(|error| format!("{url}: {error}"))?;
    for skipped in server.skipped_tools() {
        complain(&format!("{} is skipped: {}", skipped.name, skipped.reason));
    }
    let tools = server.tools();
    let specs: Vec<_> = tools.iter().map(|tool| (tool.spec().name.clone(), tool.spec())).collect();
    let definitions = ToolSpec::definitions(&specs, Dialect::MCP);
    let parsed = definitions.all().iter().map(|definition| serde_json::from_str(&definition.to_string()));
    parsed.collect::<Result<_, _>>().map_err(|error| error.to_string())
}

#[cfg(not(feature = "url"))]
#[expect(clippy::unused_async)] // The same signature as with the feature.
async fn of_url(url: &str) -> Result<Vec<Value>, String> {
    Err(format!("{url} cannot be reached, because this program was built without its feature `url`"))
}

/// The client of a server.
struct Client {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    input: WriteHalf<DuplexStream>,
}

/// Starts a server and returns its tools.
async fn listed(command: &[OsString]) -> Result<Vec<Value>, String> {
    let [program, arguments @ ..] = command else {
        return Err("give the command that starts the server after `--`".to_owned());
    };
    let mut server = search_path::command(program);
    server.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
    let name = program.to_string_lossy();
    let mut server = server.spawn().map_err(|error| format!("{name} cannot be started: {error}"))?;
    let (Some(output), Some(input)) = (server.stdout.take(), server.stdin.take()) else {
        return Err(format!("{name} has no standard input or output"));
    };
    let proxy = Proxy::builder().build().map_err(|error| error.to_string())?;
    let (near, far) = duplex(1 << 16);
    let (read, write) = split(near);
    let mut client = Client { lines: BufReader::new(read).lines(), input: write };
    let listing = async {
        client.request(0, "initialize", &initialize()).await?;
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await?;
        client.list().await
    };
    tokio::select! {
        tools = listing => tools,
        _ = proxy.streams(split(far), (output, input)) => Err("the server ended before it had listed its tools".to_owned()),
    }
    .map_err(|reason| format!("{name}: {reason}"))
}

fn initialize() -> Value {
    json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "toolbox", "version": env!("CARGO_PKG_VERSION")},
    })
}

impl Client {
    async fn list(&mut self) -> Result<Vec<Value>, String> {
        let (mut tools, mut cursor) = (Vec::new(), Value::Null);
        for id in 1..=MOST_PAGES {
            let params = if cursor.is_null() { json!({}) } else { json!({"cursor": cursor}) };
            let mut result = self.request(id, "tools/list", &params).await?;
            let Value::Array(page) = result["tools"].take() else {
                return Err("the answer to tools/list has no list of tools".to_owned());
            };
            tools.extend(page);
            let next = result["nextCursor"].take();
            if next.is_null() || next == cursor {
                break;
            }
            cursor = next;
        }
        Ok(tools)
    }

    /// Sends a request and returns its result.
    async fn request(&mut self, id: u64, method: &str, params: &Value) -> Result<Value, String> {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await?;
        loop {
            let line = timeout(PATIENCE, self.lines.next_line()).await;
            let line = line.map_err(|_| format!("no answer to {method} within {PATIENCE:?}"))?;
            let line = line.map_err(|error| error.to_string())?.ok_or("the server has ended")?;
            let mut message: Value = serde_json::from_str(&line).map_err(|error| error.to_string())?;
            match (message.get("method").is_some(), message.get("id").is_some()) {
                (true, true) => {
                    let error = json!({"code": -32_601, "message": "This client only lists tools."});
                    self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "error": error})).await?;
                }
                (false, _) if message["id"] == id => {
                    let error = message["error"]["message"].as_str();
                    return match error {
                        Some(error) => Err(format!("{method} was rejected: {error}")),
                        None => Ok(message["result"].take()),
                    };
                }
                _ => {}
            }
        }
    }

    async fn send(&mut self, message: &Value) -> Result<(), String> {
        let sent: io::Result<()> = self.input.write_all(format!("{message}\n").as_bytes()).await;
        sent.map_err(|error| error.to_string())
    }
}
