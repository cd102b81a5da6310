//! Tool definitions and recorded calls in files, of any language: what is wrong with them, and what a model would be told.

use std::process::ExitCode;

fn main() -> ExitCode {
    tool_runtime::cli::main()
}
