//! Measures memory and allocations of the client. The server is a child process, so that only the client is counted. The child process is
//! this program, started again.
//!
//! This program has no test harness, because the counters belong to a thread. `CALLS` sets the number of calls. With `COST=ours` or
//! `COST=plain`, the program only makes the calls, so that their instructions can be counted.

use std::io::{self, BufRead as _, Write as _};
use std::process::{Command, Stdio};

use allocation_counter::{AllocationInfo, measure};
use rmcp::ServiceExt as _;
use rmcp::model::CallToolRequestParams;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use tool_mcp::client::{RemoteServer, connect};
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{Session, Toolbox};

const MIB: u64 = 1_024 * 1_024;
/// The size of a large response.
const LARGE: usize = 100 * 1_024 * 1_024;
const ARGUMENTS: &str = r#"{"path":"src/main.rs","lines":20}"#;

fn main() {
    if std::env::var_os("IS_SERVER").is_some() {
        return serve().unwrap_or_default();
    }
    let calls = std::env::var("CALLS").ok().and_then(|calls| calls.parse().ok()).unwrap_or(5_000);
    let cost = std::env::var("COST").ok();
    match cost.as_deref() {
        None => check(calls),
        Some("ours") => _ = ours(calls),
        Some(_) => _ = plain(calls),
    }
}

fn check(calls: u64) {
    a_large_response_is_dropped_without_being_kept();
    a_large_response_that_is_allowed_is_copied_a_few_times();
    memory_does_not_grow_with_calls(calls);
    allocations_are_not_many_more_than_those_of_rmcp();
}

/// Serves until the client closes the connection.
fn serve() -> io::Result<()> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let Some(id) = request.get("id") else { continue };
        let (member, value) = match (request["method"].as_str(), request["params"]["name"].as_str()) {
            (Some("initialize"), _) => {
                let server = json!({"name": "x", "version": "1"});
                (
                    "result",
                    json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": server}),
                )
            }
            (Some("tools/list"), _) => {
                let properties = json!({"path": {"type": "string"}, "lines": {"type": "integer", "minimum": 1}});
                let schema = json!({"type": "object", "properties": properties, "required": ["path"]});
                let tool = |name: &str| json!({"name": name, "description": "Reads.", "inputSchema": schema});
                ("result", json!({"tools": [tool("read"), tool("large")]}))
            }
            (Some("tools/call"), Some("large")) => {
                write!(output, r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":""#)?;
                for _ in 0..LARGE / 4_096 {
                    output.write_all(&[b'x'; 4_096])?;
                }
                writeln!(output, r#""}}]}}}}"#)?;
                output.flush()?;
                continue;
            }
            (Some("tools/call"), _) => ("result", json!({"content": [{"type": "text", "text": "fn main() {}"}]})),
            _ => ("error", json!({"code": -32_601, "message": "no such method"})),
        };
        writeln!(output, "{}", json!({"jsonrpc": "2.0", "id": id, member: value}))?;
        output.flush()?;
    }
    Ok(())
}

fn server() -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program has a path"));
    command.env("IS_SERVER", "1");
    command
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime")
}

fn session(runtime: &Runtime, most_bytes: usize) -> (RemoteServer, Session) {
    let connecting = connect("files", server()).legacy().max_message_bytes(most_bytes);
    let server = runtime.block_on(connecting.into_future()).expect("a connection");
    let builder = server.tools().into_iter().fold(Toolbox::builder(), ToolboxBuilder::tool).no_throttle();
    (server, builder.build().expect("a toolbox").session())
}

fn call_large(most_bytes: usize) -> (bool, AllocationInfo) {
    let runtime = runtime();
    let (server, session) = session(&runtime, most_bytes);
    let mut is_ok = false;
    let used = measure(|| {
        let call = session.call("call_1", "files__large", ARGUMENTS);
        is_ok = runtime.block_on(call).is_ok();
    });
    runtime.block_on(server.close());
    (is_ok, used)
}

fn a_large_response_is_dropped_without_being_kept() {
    let (is_ok, used) = call_large(8 * 1_024 * 1_024);
    println!("100 MiB, of which 8 MiB are allowed: at most {} MiB", used.bytes_max / MIB);
    assert!(!is_ok && used.bytes_max < 24 * MIB, "{used:?}");
}

fn a_large_response_that_is_allowed_is_copied_a_few_times() {
    let (is_ok, used) = call_large(2 * LARGE);
    println!("100 MiB, all of which are allowed: at most {} MiB", used.bytes_max / MIB);
    assert!(is_ok && used.bytes_max < 300 * MIB, "{used:?}");
}

fn memory_does_not_grow_with_calls(calls: u64) {
    let used = ours(calls);
    println!("{calls} calls: {} bytes and {} allocations are kept", used.bytes_current, used.count_current);
    assert!(used.bytes_current.abs() < 16 * 1_024, "{used:?}");
}

fn allocations_are_not_many_more_than_those_of_rmcp() {
    let calls = 200;
    let (ours, plain) = (ours(calls).count_total / calls, plain(calls).count_total / calls);
    println!("allocations of a call: {ours}, with rmcp alone {plain}");
    assert!(ours <= 2 * plain, "{ours} and {plain}");
}

/// Makes some calls with our client, and then measures further calls.
fn ours(calls: u64) -> AllocationInfo {
    let runtime = runtime();
    let (server, session) = session(&runtime, 8 * 1_024 * 1_024);
    let call = |number: u64| {
        runtime.block_on(async {
            let outcome = session.call(&format!("call_{number}"), "files__read", ARGUMENTS).await;
            assert_eq!(outcome.to_text(), "fn main() {}");
        });
    };
    (0..1_000).for_each(call);
    let used = measure(|| (0..calls).for_each(call));
    runtime.block_on(server.close());
    used
}

/// Makes the same calls with the client of rmcp.
fn plain(calls: u64) -> AllocationInfo {
    let runtime = runtime();
    let client = runtime.block_on(async {
        let mut command = tokio::process::Command::from(server());
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true).spawn().expect("a child");
        let streams = (child.stdout.take().expect("an output"), child.stdin.take().expect("an input"));
        (().serve(streams).await.expect("a connection"), child)
    });
    let call = |_| {
        runtime.block_on(async {
            let arguments = serde_json::from_str(ARGUMENTS).expect("an object");
            let params = CallToolRequestParams::new("read").with_arguments(arguments);
            let result = client.0.call_tool(params).await.expect("a result");
            let text = result.content[0].as_text().map(|text| text.text.clone());
            assert_eq!(text.as_deref(), Some("fn main() {}"));
        });
    };
    (0..1_000).for_each(call);
    measure(|| (0..calls).for_each(call))
}
