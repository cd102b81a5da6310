//! Runs the `toolbox` command on published recorded calls, real schemas and broken JSON, and the throttle on recorded sessions.
//!
//! ```sh
//! TOOLBOX_CORPORA=… scripts/corpora
//! ```
//!
//! Prints the figures. The exit code is 1 if a figure does not reach its goal, and 3 if the folder is not named. Differences from an oracle are listed in `docs/contributing/corpora.md`,
//! with id and cause; an additional row fails as well as a missing one. This repository contains no data of the corpora.

mod calls;
mod command;
mod episodes;
mod known;
mod malformed;
mod reports;
mod schemas;
mod search;

use std::path::PathBuf;
use std::process::ExitCode;

use command::Command;
use known::Known;

/// The location of the corpora, the command, and the known differences.
struct Bench {
    folder: PathBuf,
    command: Command,
    known: Known,
    failed: bool,
}

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("corpora: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let Some(folder) = std::env::var_os("TOOLBOX_CORPORA") else {
        println!("skipped: TOOLBOX_CORPORA is not set");
        return Ok(ExitCode::from(3));
    };
    let program = std::env::args_os().nth(1).ok_or("the first argument is the `toolbox` program")?;
    let mut bench =
        Bench { folder: folder.into(), command: Command::new(program.into())?, known: Known::read()?, failed: false };
    calls::judge(&mut bench)?;
    malformed::judge(&mut bench)?;
    reports::judge(&mut bench)?;
    schemas::judge(&mut bench)?;
    search::judge(&mut bench)?;
    episodes::judge(&mut bench)?;
    bench.stale();
    Ok(if bench.failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

impl Bench {
    /// Returns the parsed lines of a file in the corpora.
    fn rows(&self, file: &str) -> Result<Vec<serde_json::Value>, Box<dyn std::error::Error>> {
        let path = self.folder.join(file);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{file}: {error}"))?;
        Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
    }

    /// Prints a line of the report, with a mark if the figure does not reach its goal.
    fn figure(&mut self, reached: bool, words: &str) {
        println!("{}  {words}", if reached { "ok  " } else { "FAIL" });
        self.failed |= !reached;
    }

    /// Reports listed rows that no longer differ.
    fn stale(&mut self) {
        for id in self.known.unused() {
            self.figure(false, &format!("docs/contributing/corpora.md lists {id}, which does not differ"));
        }
    }
}
