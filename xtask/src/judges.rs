//! The heavy independent checks, one after the other.

use crate::process::Done;
use crate::steps::Run::Commands;
use crate::steps::{self, Failure, Step};

const JUDGES: &[Step] = &[
    ("ten times the cases of the property tests", Commands(&["env PROPERTY_TIMES=10 cargo test -p tests --test all"])),
    (
        "memory over a hundred thousand calls over MCP",
        Commands(&[
            "env CALLS=100000 cargo test -p tool-mcp -p tool-proxy --all-features --test all memory_does_not_grow",
        ]),
    ),
    ("recorded calls, real schemas, broken JSON", Commands(&["scripts/corpora"])),
    ("strict definitions of the official SDKs", Commands(&["scripts/judges-sdks"])),
    ("MCP SDKs and the conformance suite", Commands(&["scripts/judges-mcp"])),
    ("each crate from its packaged files", Commands(&["cargo xtask packages"])),
    ("the wheel and the npm package of the command, without Rust", Commands(&["scripts/judges-packages"])),
    ("the page of a report in Chromium", Commands(&["scripts/judges-report"])),
    ("every crash on Restate and with files", Commands(&["scripts/judges-restate all"])),
    (
        "small models that read our answers",
        Commands(&["scripts/judges-model planted by-hand,list,json,markdown,sentences 5"]),
    ),
    ("instructions", Commands(&["cargo xtask instructions"])),
    ("compile time", Commands(&["cargo xtask compile-time"])),
    ("one of 500 mutants", Commands(&["cargo xtask mutants 500"])),
];

/// Runs the judges whose names or commands contain an argument, or all of them. A judge that fails does not end the others.
pub(crate) fn run(arguments: &[String]) -> Done {
    steps::run(JUDGES, arguments, Failure::EndsStep)
}
