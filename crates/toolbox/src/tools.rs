//! `toolbox tools`: prints the tools that an MCP server lists, as definitions for the other subcommands.
//!
//! The server speaks any revision of the protocol: a proxy without a guard of its own translates.

use std::io::{self, Write};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf, duplex, split};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tool_proxy::{Proxy, Servers};

use super::ending::{CheckError, Ending};
use super::input::InputError;
use super::options::ServerOptions;
use super::remote::{Remote, Secret};
use super::search_path;

/// The time that a server has for each answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// The maximum number of pages of a list.
const MOST_PAGES: u64 = 1_000;

pub(super) fn tools(options: &ServerOptions, out: &mut dyn Write) -> Result<Ending, CheckError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let listing = async {
        if let Some(url) = &options.url {
            let token = options.token_env.clone().map(Secret::Environment);
            let remote = Remote { token, ..Remote::new(url.clone()) };
            let upstream = remote.upstream().map_err(|error| error.to_string())?;
            return listed(upstream, "server").await;
        }
        let [program, arguments @ ..] = &*options.command else {
            return Err("give the command that starts the server after `--`".to_owned());
        };
        let mut command = search_path::command(program);
        command.args(arguments);
        listed(command, &program.to_string_lossy()).await
    };
    let tools = runtime.block_on(listing).map_err(|reason| CheckError::Input(InputError::Other(reason)))?;
    writeln!(out, "{{\"tools\": [")?;
    for (index, tool) in tools.iter().enumerate() {
        writeln!(out, "{tool}{}", if index + 1 < tools.len() { "," } else { "" })?;
    }
    writeln!(out, "]}}")?;
    Ok(Ending::Done)
}

/// The client of a server.
struct Client {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    input: WriteHalf<DuplexStream>,
}

/// Returns the tools of a server, which the error names.
async fn listed(servers: impl Into<Servers>, name: &str) -> Result<Vec<Value>, String> {
    let proxy = Proxy::builder().build().map_err(|error| error.to_string())?;
    let (near, far) = duplex(1 << 16);
    let (read, write) = split(near);
    let mut client = Client { lines: BufReader::new(read).lines(), input: write };
    let listing = async {
        client.request(0, "initialize", &initialize()).await?;
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await?;
        client.list().await
    };
    let (listed, stop) = oneshot::channel::<()>();
    let serving = proxy.serve(split(far), servers, async { drop(stop.await) });
    let listing = async {
        let tools = listing.await;
        drop(listed);
        tools
    };
    let (tools, served) = tokio::join!(listing, serving);
    served.map_err(|error| format!("{name} cannot be started: {error}"))?;
    tools.map_err(|reason| format!("{name}: {reason}"))
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
