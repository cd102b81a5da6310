//! Tests of the `toolbox` command as a process: files and arguments in, lines and an exit code out.

mod checks;
mod dialects;
mod files;
mod lint;
mod output;
mod recordings;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

type Outcome = Result<(), Box<dyn Error>>;

/// A folder that is deleted after the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Result<Self, Box<dyn Error>> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("toolbox-{name}"));
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> Result<String, Box<dyn Error>> {
        let path = self.0.join(name);
        fs::write(&path, text)?;
        Ok(path.to_string_lossy().into_owned())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn toolbox(arguments: &[&str]) -> Result<Output, Box<dyn Error>> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolbox"));
    command
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .env_remove("NO_COLOR")
        .stdin(Stdio::null());
    Ok(command.args(arguments).output()?)
}

fn lines(output: &Output) -> Result<Vec<Value>, Box<dyn Error>> {
    let text = std::str::from_utf8(&output.stdout)?;
    Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn check(name: &str, tools: &Value, calls: &[Value], options: &[&str]) -> Result<Output, Box<dyn Error>> {
    let folder = Folder::new(name)?;
    let tools = folder.file("tools.json", tools.to_string())?;
    let calls = folder.file("calls.jsonl", lines_of(calls))?;
    toolbox(&[&["check", "--tools", &tools, "--calls", &calls], options].concat())
}

/// Returns JSON Lines.
fn lines_of(rows: &[Value]) -> String {
    let lines: Vec<_> = rows.iter().map(ToString::to_string).collect();
    lines.join("\n") + "\n"
}

fn search() -> Value {
    json!([{"name": "search", "description": "Searches.", "parameters": {
        "type": "object",
        "properties": {"query": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}},
        "required": ["query"],
    }}])
}
