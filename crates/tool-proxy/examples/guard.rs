//! Guards the server that a command starts: `cargo run -p tool-proxy --example guard -- npx -y @modelcontextprotocol/server-filesystem /srv`.

use std::error::Error;

use tokio::process::Command;
use tool_proxy::Proxy;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let program = arguments.next().ok_or("name the command that starts the server")?;
    let mut server = Command::new(program);
    server.args(arguments);
    let proxy = Proxy::builder().log_with(|remark| eprintln!("proxy: {remark}")).build()?;
    proxy.serve_stdio(server, std::future::pending()).await?;
    eprint!("{}", proxy.report());
    Ok(())
}
