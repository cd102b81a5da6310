//! Compares the output of the programs with goldens. `UPDATE_GOLDEN=1` updates them.

use std::path::Path;
use std::process::{Command, Output, Stdio};

const WEATHER: &str = env!("CARGO_BIN_EXE_weather_agent");
const OPS: &str = env!("CARGO_BIN_EXE_ops_agent");

/// Runs a program with its script and without a terminal.
fn run(program: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(program);
    for name in ["AGENT_ENDPOINT", "AGENT_MODEL", "AGENT_KEY"] {
        command.env_remove(name);
    }
    command.args(arguments).stdin(Stdio::null()).output().expect("the program starts")
}

fn printed(program: &str, arguments: &[&str]) -> String {
    let output = run(program, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    unmarked(&String::from_utf8(output.stdout).expect("it prints text"))
}

/// Removes the marks around data, because they depend on the hasher of the standard library, which may change.
fn unmarked(text: &str) -> String {
    let parts: Vec<&str> = text.split("=== data ").collect();
    let rest = |part: &&str| part.get(16..).unwrap_or_default().to_owned();
    let first = parts.first().map(|first| (*first).to_owned());
    first.into_iter().chain(parts.iter().skip(1).map(rest)).collect::<Vec<_>>().join("=== data …")
}

fn is_golden(name: &str, printed: &str) {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&golden, printed).expect("the golden can be written");
    }
    let expected = std::fs::read_to_string(&golden).expect("the golden is there");
    assert_eq!(printed, expected, "{name}");
}

#[test]
fn the_weather_agent_prints_its_conversation() {
    is_golden("weather.txt", &printed(WEATHER, &[]));
}

#[test]
fn the_weather_agent_prints_its_conversation_as_json() {
    is_golden("weather.jsonl", &printed(WEATHER, &["--json"]));
}

#[test]
fn the_ops_agent_prints_its_conversation() {
    is_golden("ops.txt", &printed(OPS, &[]));
}

#[test]
fn every_line_of_json_output_is_valid() {
    let lines = printed(OPS, &["--no", "--json"]);
    let values: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let kinds: Vec<&str> = values.iter().filter_map(|value| value["entry"].as_str()).collect();
    assert_eq!(kinds.len(), values.len());
    assert_eq!((kinds.first(), kinds.last()), (Some(&"prompt"), Some(&"statistics")));
    let denied = values.iter().find(|value| value["tool"] == "write_report").expect("it is called");
    assert_eq!(denied["error_type"], "denied");
}

#[test]
fn any_folder_can_be_inspected() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("another");
    std::fs::create_dir_all(&folder).expect("the target directory can be written");
    std::fs::write(folder.join("backup.log"), "ERROR the disk is full\n").expect("the target directory can be written");
    let printed = printed(OPS, &["--no", &folder.display().to_string()]);
    assert!(
        printed.contains("1 errors in 1 files\n            - backup.log: 1, first: ERROR the disk is full"),
        "{printed}"
    );
}

#[test]
fn a_missing_folder_is_reported() {
    let output = run(OPS, &["no/such/folder"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("ops_agent: no/such/folder: "));
}
