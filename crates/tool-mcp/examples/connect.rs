//! Starts an MCP server and lists its tools:
//!
//! `cargo run -q -p tool-mcp --example connect -- target/debug/examples/serve`

use std::error::Error;
use std::process::Command;

use tool_mcp::connect;
use tool_runtime::Toolbox;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().ok_or("name a program that serves MCP over its standard input and output")?;
    let mut command = Command::new(program);
    command.args(arguments);

    let server = connect("demo", command).await?;
    for tool in server.skipped_tools() {
        println!("not offered: {} ({})", tool.name, tool.reason);
    }
    let session = Toolbox::builder().container(server.container()).build()?.session();
    println!("{}", session.definitions());
    println!("{}", session.call("call_1", server.container().spec().name.as_str(), "").await.to_text());
    println!("{}", session.definitions());
    server.close().await;
    Ok(())
}
