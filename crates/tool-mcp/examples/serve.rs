//! Serves a tool over stdio. Name the program in the settings of an MCP host, or try it by hand:
//!
//! `cargo run -q -p tool-mcp --example serve < requests.jsonl`

use tool_mcp::Server;
use tool_runtime::{Toolbox, tool};

/// Adds two numbers.
#[tool(read_only, title = "Addition")]
fn add(
    /// First summand.
    a: f64,
    /// Second summand.
    b: f64,
) -> f64 {
    a + b
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let toolbox = Toolbox::builder().tool(AddTool).build()?;
    Ok(Server::new(toolbox).named("calculator", "1.0.0").stdio().await?)
}
