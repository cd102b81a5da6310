//! Golden files, which are written by a command and never edited by hand.

use crate::process::{Done, cargo, finish};

/// The tests that write golden files, each with the variable that makes them write.
const TESTS: &[(&str, &str, &[&str])] = &[
    ("UPDATE_EXPECT", "1", &["-p", "tool-macros", "--lib", "expansions"]),
    ("UPDATE_GOLDEN", "1", &["-p", "tool-macros", "--lib", "page"]),
    ("UPDATE_GOLDEN", "1", &["-p", "tool-schema", "--lib", "dialect::providers::page"]),
    ("UPDATE_GOLDEN", "1", &["-p", "tests", "--test", "all", "feedback::"]),
    ("UPDATE_GOLDEN", "1", &["-p", "tests", "--test", "all", "repair::lenient::guide"]),
    ("UPDATE_GOLDEN", "1", &["-p", "tests", "--test", "all", "dynamic::guide"]),
    ("UPDATE_GOLDEN", "1", &["-p", "examples", "--test", "all", "readme::"]),
    ("UPDATE_GOLDEN", "1", &["-p", "agents", "--test", "all", "transcripts::"]),
    ("UPDATE_GOLDEN", "1", &["-p", "toolbox", "--test", "all", "command::"]),
];

/// The slow ones, for messages of the compiler.
const COMPILER: (&str, &str, &[&str]) = ("TRYBUILD", "overwrite", &["-p", "ui", "--", "--ignored", "mistakes_give"]);

/// Writes all golden files. Those of the compiler's messages are only written for the argument `ui`.
pub(crate) fn run(arguments: &[String]) -> Done {
    let compiler = arguments.iter().any(|argument| argument == "ui").then_some(&COMPILER);
    for (variable, value, test) in TESTS.iter().chain(compiler) {
        let mut command = cargo(&["test", "--quiet"]);
        command.args(*test).env(variable, value);
        finish(command)?;
    }
    finish(crate::process::program("git", &["status", "--short"]))
}
