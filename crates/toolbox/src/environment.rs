//! The user's environment: variables with secrets, and the folder for the state of the command.

use std::io;
use std::path::PathBuf;

/// Returns the value of an environment variable that contains a secret.
#[cfg(feature = "remote")]
pub(super) fn variable(name: &str) -> io::Result<String> {
    let value = std::env::var(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
    let missing = || format!("the environment variable {name} is not set");
    value.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, missing()))
}

/// Returns the folder for the state of the command.
pub(super) fn state_folder() -> io::Result<PathBuf> {
    let variable = |name| std::env::var_os(name).map(PathBuf::from).filter(|path: &PathBuf| path.is_absolute());
    let folder = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else {
        variable("XDG_STATE_HOME").or_else(|| Some(variable("HOME")?.join(".local/state")))
    };
    Ok(folder
        .ok_or_else(|| io::Error::other("the folder for the state of programs is not known, because HOME is not set"))?
        .join("toolbox"))
}
