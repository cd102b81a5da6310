//! The `PATH` in which the programs of servers are searched.
//!
//! `uvx` puts the environment that it has made for this program in front of `PATH`. The `python` in it does not have the packages of the user, so it must not
//! start the user's server.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use tokio::process::Command;

/// Returns `PATH`, without the folder of this program if it is in the cache of a runner.
pub(super) fn search_path() -> Option<OsString> {
    let path = std::env::var_os("PATH")?;
    match std::env::current_exe() {
        Ok(own) if is_in_cache(&own) => without_folder(&path, own.parent()?),
        _ => Some(path),
    }
}

/// Returns whether a program is in the cache of `uvx` or `npx`, which may be emptied.
pub(super) fn is_in_cache(program: &Path) -> bool {
    program.components().any(|part| {
        let part = part.as_os_str();
        part == "_npx" || part.to_str().is_some_and(|part| part.starts_with("archive-v"))
    })
}

fn without_folder(path: &OsStr, folder: &Path) -> Option<OsString> {
    // The runner may name the folder by a link.
    let folder = folder.canonicalize().ok()?;
    let others = std::env::split_paths(path).filter(|entry| entry.canonicalize().ok().as_ref() != Some(&folder));
    std::env::join_paths(others).ok()
}

/// Returns the command of a program, which is searched in [`search_path`].
pub(super) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    if let Some(path) = search_path() {
        command.env("PATH", path);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_folder_of_a_runner_is_left_out() {
        let folder = std::env::temp_dir().canonicalize().expect("a folder");
        let path = std::env::join_paths([&folder, Path::new("/absent"), Path::new("/usr")]).expect("a path");
        let expected = std::env::join_paths(["/absent", "/usr"]).expect("a path");
        assert_eq!(without_folder(&path, &folder), Some(expected));
        for (program, expected) in [
            ("/home/ada/.cache/uv/archive-v0/x1/bin/toolbox", true),
            ("/home/ada/.npm/_npx/ab/node_modules/@x/linux-x64/bin/toolbox", true),
            ("/home/ada/.local/share/uv/tools/toolbox/bin/toolbox", false),
            ("/home/ada/project/.venv/bin/toolbox", false),
        ] {
            assert_eq!(is_in_cache(Path::new(program)), expected, "{program}");
        }
    }
}
