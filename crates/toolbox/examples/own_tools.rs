//! The `toolbox` command for a program's own tools: `cargo run -p toolbox --example own_tools -- call echo '{"text": "Hello"}'`.

use std::process::ExitCode;

use tool_runtime::{Toolbox, tool};

/// Echoes a text.
#[tool]
fn echo(
    /// The text.
    text: String,
) -> String {
    text
}

fn main() -> ExitCode {
    match Toolbox::builder().tool(EchoTool).build() {
        Ok(toolbox) => toolbox::run(toolbox),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
