//! The `toolbox` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    toolbox::main()
}
