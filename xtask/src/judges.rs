//! The heavy independent checks, one after the other.

use std::time::Instant;

use crate::process::{Done, program};

/// Every judge: its name and its command. Exit code 3 means that a judge cannot run here.
const JUDGES: &[(&str, &[&str])] = &[
    (
        "ten times the cases of the property tests",
        &["env", "PROPERTY_TIMES=10", "cargo", "test", "-p", "tests", "--test", "all"],
    ),
    (
        "memory over a hundred thousand calls over MCP",
        &[
            "env",
            "CALLS=100000",
            "cargo",
            "test",
            "-p",
            "tool-mcp",
            "--all-features",
            "--test",
            "all",
            "memory_does_not_grow",
        ],
    ),
    ("recorded calls, real schemas, broken JSON", &["scripts/corpora"]),
    ("strict definitions of the official SDKs", &["scripts/judges-sdks"]),
    ("MCP SDKs and the conformance suite", &["scripts/judges-mcp"]),
    ("every crash on Restate and with files", &["scripts/judges-restate", "all"]),
    ("instructions", &["cargo", "xtask", "instructions"]),
    ("compile time", &["cargo", "xtask", "compile-time"]),
    ("one of 500 mutants", &["cargo", "xtask", "mutants", "500"]),
];

/// Runs the judges whose names or commands contain an argument, or all of them, and summarizes their verdicts.
pub(crate) fn run(arguments: &[String]) -> Done {
    let is_wanted = |name: &str, command: &[&str]| {
        let contains =
            |part: &String| name.contains(part.as_str()) || command.iter().any(|word| word.contains(part.as_str()));
        arguments.is_empty() || arguments.iter().any(contains)
    };
    let mut verdicts = Vec::new();
    for (name, command) in JUDGES.iter().filter(|(name, command)| is_wanted(name, command)) {
        println!("\n== {name}");
        let start = Instant::now();
        let verdict = match program(command[0], &command[1..]).status()?.code() {
            Some(0) => "passed",
            Some(3) => "not run",
            _ => "FAILED",
        };
        verdicts.push((verdict, start.elapsed().as_secs().div_ceil(60), name));
    }
    println!();
    for (verdict, minutes, name) in &verdicts {
        println!("{verdict:8} {minutes:4} min  {name}");
    }
    let failed = verdicts.iter().filter(|(verdict, ..)| *verdict == "FAILED").count();
    match verdicts.len() {
        0 => Err("no judge has this name".into()),
        _ if failed > 0 => Err(format!("{failed} judges failed").into()),
        _ => Ok(()),
    }
}
