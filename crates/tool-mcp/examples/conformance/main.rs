//! The server that the official conformance suite checks: `scripts/judges-mcp` runs every scenario against it.
//!
//! The suite asks for tools, prompts and resources by name. `tools` has the tools that a toolbox can have, and `around` a handler of rmcp with
//! everything else. The handler writes each request that it answers to the standard error, so that the script knows which scenarios are
//! answered by this crate.

mod around;
mod tools;

use tokio::net::TcpListener;
use tool_mcp::Server;

/// Serves streamable HTTP on a free loopback port, whose URL it prints, until the standard input ends. With `--stdio`, it serves standard input and
/// output.
#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server =
        Server::new(tools::toolbox()?).named("conformance", "1.0.0").with_fallback_handler(around::Around::new());
    if std::env::args().any(|argument| argument == "--stdio") {
        return Ok(server.stdio().await?);
    }
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/mcp", listener.local_addr()?);
    let stop = async { drop(tokio::io::copy(&mut tokio::io::stdin(), &mut tokio::io::sink()).await) };
    Ok(server.http().serve(listener, stop).await?)
}
