//! The `toolbox` command as a process, with lines as input and output.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use serde_json::Value;

/// The command, and a folder for its input files.
pub(super) struct Command {
    program: PathBuf,
    folder: PathBuf,
}

impl Command {
    pub(super) fn new(program: PathBuf) -> Result<Self, Box<dyn Error>> {
        let folder = std::env::temp_dir().join(format!("corpora-{}", process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self { program, folder })
    }

    /// Runs the command. Returns its output lines and its error messages.
    pub(super) fn lines(&self, arguments: &[&str]) -> Result<(Vec<Value>, Vec<String>), Box<dyn Error>> {
        let output = process::Command::new(&self.program).args(arguments).output()?;
        if output.status.code().is_none() {
            return Err(format!("toolbox {} was killed", arguments.join(" ")).into());
        }
        let lines = String::from_utf8(output.stdout)?;
        let complaints = String::from_utf8_lossy(&output.stderr).lines().map(str::to_owned).collect();
        Ok((lines.lines().map(serde_json::from_str).collect::<Result<_, _>>()?, complaints))
    }

    /// Writes an input file in JSON Lines.
    pub(super) fn file(&self, name: &str, lines: impl IntoIterator<Item = Value>) -> Result<String, Box<dyn Error>> {
        let lines: Vec<_> = lines.into_iter().map(|line| line.to_string()).collect();
        let text = lines.join("\n") + "\n";
        let path = self.folder.join(name);
        fs::write(&path, text)?;
        Ok(shown(&path))
    }
}

impl Drop for Command {
    fn drop(&mut self) {
        // A remaining folder does no harm.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

pub(super) fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
