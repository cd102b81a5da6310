//! What the `toolbox` command makes of recorded calls, real schemas and broken JSON that others published, and what the throttle makes of
//! recorded sessions.
//!
//! ```sh
//! TOOLBOX_CORPORA=… scripts/corpora
//! ```
//!
//! In: the folder of the corpora and the command. Out: the figures, and exit code 1 where one of them is not reached. Differences from an
//! oracle are rows of `docs/corpora.md`, by id and cause; a row too many there fails like one too few. Nothing of the corpora is in this
//! repository.

mod calls;
mod command;
mod episodes;
mod known;
mod malformed;
mod reports;
mod schemas;

use std::path::PathBuf;
use std::process::ExitCode;

use command::Command;
use known::Known;

/// Where the corpora are and what judges them.
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
        println!("skipped: TOOLBOX_CORPORA names no folder");
        return Ok(ExitCode::SUCCESS);
    };
    let program = std::env::args_os().nth(1).ok_or("the first argument is the `toolbox` program")?;
    let mut bench =
        Bench { folder: folder.into(), command: Command::new(program.into())?, known: Known::read()?, failed: false };
    calls::judge(&mut bench)?;
    malformed::judge(&mut bench)?;
    reports::judge(&mut bench)?;
    schemas::judge(&mut bench)?;
    episodes::judge(&mut bench)?;
    bench.stale();
    Ok(if bench.failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

impl Bench {
    /// The lines of a file of the corpora, parsed.
    fn rows(&self, file: &str) -> Result<Vec<serde_json::Value>, Box<dyn std::error::Error>> {
        let path = self.folder.join(file);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{file}: {error}"))?;
        Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
    }

    /// A line of the report, marked where the figure is not reached.
    fn figure(&mut self, reached: bool, words: &str) {
        println!("{}  {words}", if reached { "ok  " } else { "FAIL" });
        self.failed |= !reached;
    }

    /// Rows that the page lists and that do not differ any more.
    fn stale(&mut self) {
        for id in self.known.unused() {
            self.figure(false, &format!("docs/corpora.md lists {id}, which does not differ"));
        }
    }
}
