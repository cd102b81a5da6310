//! Mutation testing with `cargo-mutants`: changed programs, of which at least one test has to notice each.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::time::SystemTime;

use serde_json::Value;

use crate::process::{Done, cargo, root};

/// A part of the code: its name, its package, its files, and the modules of the package `tests` that judge it.
type Part = (&'static str, &'static str, &'static str, &'static [&'static str]);

const PARTS: &[Part] = &[
    ("check", "tool-schema", "crates/tool-schema/src/check/**", &["check::", "completeness::"]),
    ("repair", "tool-schema", "crates/tool-schema/src/repair/**", &["repair::", "session::written::"]),
    ("dialect", "tool-schema", "crates/tool-schema/src/dialect/**", &["dialect::", "dialects::"]),
    ("throttle", "tool-runtime", "tool-runtime/src/throttle/**", &["throttle::"]),
    ("testkit", "tool-testkit", "crates/tool-testkit/src/**", &["testkit::", "generate::"]),
];

/// One mutant of this many is tested, unless an argument says differently.
const SAMPLE: u64 = 60;

const VERDICTS: [&str; 4] = ["CaughtMutant", "Timeout", "Unviable", "MissedMutant"];

/// Tests a sample of the mutants of all parts, or of the parts that are named. An argument `N` asks for one mutant of N, others on each day; an
/// argument `K/N` asks for the sample `K` of them, from 0 to N - 1.
pub(crate) fn run(arguments: &[String]) -> Done {
    let (samples, names): (Vec<_>, Vec<_>) =
        arguments.iter().partition(|argument| argument.starts_with(|first: char| first.is_ascii_digit()));
    let unknown = names.iter().find(|name| !PARTS.iter().any(|(part, ..)| *part == name.as_str()));
    if let Some(name) = unknown {
        return Err(format!("no part is named {name}").into());
    }
    let sample = match samples.first() {
        Some(sample) if sample.contains('/') => (*sample).clone(),
        Some(number) => todays(number.parse()?)?,
        None => todays(SAMPLE)?,
    };
    let mut survived = Vec::new();
    for (part, package, files, judges) in
        PARTS.iter().filter(|(part, ..)| names.is_empty() || names.iter().any(|name| name.as_str() == *part))
    {
        println!("\n{part}: sample {sample}");
        let mut mutants =
            cargo(&["mutants", "--baseline=skip", "--timeout=600", "--no-shuffle", "--sharding=round-robin"]);
        mutants.arg(format!("--shard={sample}")).args(["-p", package, "-f", files, "-o", "target"]);
        mutants.arg(format!("--test-package=tests,{package}")).args(["--", "--lib", "--test", "all", "--"]);
        // An incremental build compiles only the functions that a mutant changes.
        let ended = mutants.args(*judges).env("CARGO_INCREMENTAL", "1").status()?;
        // These exit codes say that mutants survived, or that tests did not end.
        if !matches!(ended.code(), Some(0 | 2 | 3)) {
            return Err(format!("`cargo mutants` ended with {ended}; cargo install cargo-mutants installs it").into());
        }
        if ended.code() == Some(2) {
            survived.push(*part);
        }
        print!("{}", table(&fs::read_to_string(root().join("target/mutants.out/outcomes.json"))?)?);
    }
    if survived.is_empty() { Ok(()) } else { Err(format!("mutants survived in {}", survived.join(", ")).into()) }
}

/// Returns the sample of this day, as `K/N`.
fn todays(number: u64) -> Done<String> {
    let day = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_secs() / 86_400;
    let sample = day.checked_rem(number).ok_or("a sample is one mutant of at least one")?;
    Ok(format!("{sample}/{number}"))
}

/// Returns the number of mutants by file and verdict as Markdown.
fn table(outcomes: &str) -> Done<String> {
    let outcomes: Value = serde_json::from_str(outcomes)?;
    let mut files: BTreeMap<&str, [usize; VERDICTS.len()]> = BTreeMap::new();
    for outcome in outcomes["outcomes"].as_array().into_iter().flatten() {
        let file = outcome["scenario"]["Mutant"]["file"].as_str();
        let verdict = VERDICTS.iter().position(|verdict| outcome["summary"] == *verdict);
        let (Some(file), Some(verdict)) = (file, verdict) else { continue };
        for row in [file, "all"] {
            files.entry(row).or_default()[verdict] += 1;
        }
    }
    let mut table = String::from(
        "| file | mutants | killed | timeout | unviable | survived |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    let all = files.remove_entry("all");
    for (file, counts) in files.into_iter().chain(all) {
        let cells = counts.map(|count| count.to_string()).join(" | ");
        writeln!(table, "| {file} | {} | {cells} |", counts.iter().sum::<usize>())?;
    }
    Ok(table)
}
