//! Programs that the tasks start.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The end of a task, with the reason if it failed.
pub(crate) type Done<T = ()> = Result<T, Box<dyn Error>>;

/// Returns the folder of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("")
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
