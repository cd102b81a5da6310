//! Programs that the tasks start.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// The end of a task, with the reason if it failed.
pub(crate) type Done<T = ()> = Result<T, Box<dyn Error>>;

/// Returns the folder of the workspace. Cargo says where it is when it runs this program, which another clone may have built.
pub(crate) fn root() -> PathBuf {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&manifest).with_file_name("")
}

/// Returns a program that runs in the folder of the workspace.
pub(crate) fn program(name: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root()).args(arguments);
    command
}

/// Returns the cargo that runs this task, with other arguments.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), arguments)
}

/// Runs a program and returns its output. Its errors are shown as they come.
pub(crate) fn output(mut command: Command) -> Done<String> {
    let ended = command.stderr(Stdio::inherit()).output()?;
    if !ended.status.success() {
        return Err(format!("{command:?}: {}", ended.status).into());
    }
    Ok(String::from_utf8(ended.stdout)?)
}

/// Runs a program whose output is shown as it comes.
pub(crate) fn finish(mut command: Command) -> Done {
    let status = command.status()?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}

/// Builds a target with cargo, and returns its program.
pub(crate) fn executable(arguments: &[&str], target: &str) -> Done<PathBuf> {
    let mut build = cargo(arguments);
    build.args(["--quiet", "--message-format=json"]);
    for line in output(build)?.lines() {
        let message: Value = serde_json::from_str(line)?;
        if message["target"]["name"] == target
            && let Some(program) = message["executable"].as_str()
        {
            return Ok(program.into());
        }
    }
    Err(format!("cargo built no program {target}").into())
}
