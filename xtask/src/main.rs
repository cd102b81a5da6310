//! Tasks of the project that are more than a line of shell. `cargo xtask` lists them.

mod process;
mod rust_version;

use std::process::ExitCode;

use process::Done;

/// A task: its name, its arguments and effect, and its function.
type Task = (&'static str, &'static str, fn(&[String]) -> Done);

const TASKS: &[Task] = &[(
    "rust-version",
    "checks that no dependency needs a newer compiler than the package that uses it",
    rust_version::run,
)];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let named = arguments.first().and_then(|name| TASKS.iter().find(|(task, ..)| task == name));
    let Some((name, _, run)) = named else {
        eprintln!("usage: cargo xtask TASK");
        for (name, effect, _) in TASKS {
            eprintln!("  {name:14} {effect}");
        }
        return ExitCode::from(2);
    };
    match run(&arguments[1..]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cargo xtask {name}: {error}");
            ExitCode::FAILURE
        }
    }
}
