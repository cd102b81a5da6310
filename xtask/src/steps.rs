//! Checks with names that run one after the other, and what became of each.

use std::fmt::Write;
use std::time::Instant;

use crate::process::{Done, program};

/// A check with a name. A step without a name tidies up: it runs only together with all steps, and is not reported.
pub(crate) type Step = (&'static str, Run);

pub(crate) enum Run {
    /// Commands without quotes. If one ends with the exit code 3, the step cannot run here, and the commands after it are left out.
    Commands(&'static [&'static str]),
    Function(fn() -> Done<Verdict>),
}

pub(crate) enum Verdict {
    Passed,
    /// Something is not installed. The step has said what.
    NotRun,
}

/// The consequence of a failed step for the others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    EndsAll,
    EndsStep,
}

/// Runs the steps whose names or commands contain one of the parts, or all if there are no parts. The last lines say what became of each step.
pub(crate) fn run(steps: &[Step], parts: &[String], failure: Failure) -> Done {
    let wanted: Vec<_> =
        steps.iter().filter(|step| parts.is_empty() || parts.iter().any(|part| contains(step, part))).collect();
    if wanted.is_empty() {
        return Err(format!("no step contains {}", parts.join(" or ")).into());
    }
    let mut summary = String::new();
    let mut failed = 0;
    for (name, run) in wanted {
        if !name.is_empty() {
            println!("\n== {name}");
        }
        let start = Instant::now();
        let verdict = match run {
            Run::Commands(commands) => run_commands(commands),
            Run::Function(function) => function(),
        };
        let word = match verdict {
            Ok(Verdict::Passed) if name.is_empty() => continue,
            Ok(Verdict::Passed) => "passed",
            Ok(Verdict::NotRun) => "not run",
            Err(error) => {
                println!("{error}");
                failed += 1;
                "FAILED"
            }
        };
        write!(summary, "\n{word:8} {:4} min  {name}", start.elapsed().as_secs().div_ceil(60))?;
        if failed > 0 && failure == Failure::EndsAll {
            break;
        }
    }
    println!("{summary}");
    if failed == 0 { Ok(()) } else { Err(format!("{failed} failed").into()) }
}

fn contains((name, run): &Step, part: &str) -> bool {
    let is_in_commands = match run {
        Run::Commands(commands) => commands.iter().any(|command| command.contains(part)),
        Run::Function(_) => false,
    };
    name.contains(part) || is_in_commands
}

/// Runs commands until one fails or cannot run.
pub(crate) fn run_commands(commands: &[impl AsRef<str>]) -> Done<Verdict> {
    for command in commands {
        let command = command.as_ref();
        let (name, arguments) = command.split_once(' ').unwrap_or((command, ""));
        let arguments: Vec<&str> = arguments.split_terminator(' ').collect();
        match program(name, &arguments).status().map_err(|error| format!("{command}: {error}"))?.code() {
            Some(0) => {}
            Some(3) => return Ok(Verdict::NotRun),
            _ => return Err(format!("{command} failed").into()),
        }
    }
    Ok(Verdict::Passed)
}
