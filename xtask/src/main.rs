//! Tasks of the project that are more than a line of shell. `cargo xtask` lists them.

mod ci;
mod compile_time;
mod copy;
mod goldens;
mod instructions;
mod judges;
mod lines;
mod llms;
mod mutants;
mod packages;
mod paste;
mod process;
mod release;
mod rust_version;
mod semver;
mod size;
mod steps;
mod templates;
mod words;

use std::process::ExitCode;

use process::Done;

/// A task: its name, its arguments and effect, and its function.
type Task = (&'static str, &'static str, fn(&[String]) -> Done);

const TASKS: &[Task] = &[
    ("ci", "[PART]...: runs the steps of `.ci/run`, or those with PART in their names or commands", ci::run),
    ("compile-time", "[ROUNDS]: measures `cargo check` of 100 tools beside schemars", compile_time::run),
    ("goldens", "[ui]: writes all golden files; `ui` adds the messages of the compiler", goldens::run),
    (
        "instructions",
        "[PART]: counts the instructions of all comparisons, or of those with PART in their names",
        instructions::run,
    ),
    ("judges", "[PART]...: runs all heavy checks, or those with PART in their names or commands", judges::run),
    (
        "llms",
        "[--check]: writes `llms.txt`, the list of the pages, and `target/llms-full.txt` with their text",
        llms::run,
    ),
    (
        "mutants",
        "[PART]... [N | K/N]: tests one of N mutants of all parts, or of these; others on each day, or the sample K",
        mutants::run,
    ),
    (
        "packages",
        "[PACKAGE]... | example: tests each crate, or these, or only the example of the README, from the packaged files alone",
        packages::run,
    ),
    ("release", "[FOLDER]: copies the tree, and writes the published names into its manifests", release::run),
    (
        "semver",
        "[PACKAGE]...: compares the public API of all crates, or of these, with the revision in `.ci/semver-baseline`",
        semver::run,
    ),
    (
        "paste",
        "[PART]...: compiles the blocks of all pages, or of those with PART in their paths, as they are shown",
        paste::run,
    ),
    (
        "rust-version",
        "checks that no dependency needs a newer compiler than the package that uses it",
        rust_version::run,
    ),
    ("size", "prints the lines of code of each crate; fails if there are more than `.ci/ceilings` allows", size::run),
    ("copy", "EXAMPLE FOLDER: copies an example out of the tree, as a project of its own", copy::run),
    (
        "templates",
        "[NAME]...: makes a project of each template and of two examples, and runs its tests",
        templates::run,
    ),
    ("words", "searches the pages and the comments for constructions that are hard to read", words::run),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let named = arguments.first().and_then(|name| TASKS.iter().find(|(task, ..)| task == name));
    let Some((name, _, run)) = named else {
        eprintln!("usage: cargo xtask TASK");
        for (name, effect, _) in TASKS {
            eprintln!("  {name:14} {effect}");
        }
        return ExitCode::from(2);
    };
    match run(&arguments[1..]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cargo xtask {name}: {error}");
            ExitCode::FAILURE
        }
    }
}
