//! Prints the answers and the costs of the sides, as the sections of `docs/compare.md`.
//!
//! - `answers` prints the tables of answers, `cost` the table of the costs of calls, `time` only their times, and `compile` the table of the
//!   costs of compilation.
//!   Without an argument, the whole page is printed.
//! - `run SIDE KIND CALLS` makes calls, for callgrind.

use std::process::ExitCode;

use peers::{answers, compile, cost};

const INTRODUCTION: &str = include_str!("introduction.md");

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let page = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["run", side, kind, calls] => {
            let (Ok(side), Some(kind), Ok(calls)) = (side.parse(), cost::Kind::named(kind), calls.parse()) else {
                return ExitCode::from(2);
            };
            cost::run(side, kind, calls);
            return ExitCode::SUCCESS;
        }
        ["answers"] => Ok(answers()),
        ["cost"] => cost::table(),
        ["time"] => Ok(cost::time_table()),
        ["compile"] => compile::table(),
        [] => whole(),
        _ => Err("usage: peers [answers | cost | time | compile]".to_owned()),
    };
    match page {
        Ok(page) => {
            print!("{page}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn answers() -> String {
    format!(
        "{}\n## Word for word\n\nThe first answer of each side to each call.\n\n{}",
        answers::rounds(),
        answers::texts()
    )
}

fn whole() -> Result<String, String> {
    let (cost, compile) = (cost::table()?, compile::table()?);
    Ok(INTRODUCTION
        .replace("{rounds}", answers::rounds().trim_end())
        .replace("{cost}", cost.trim_end())
        .replace("{compile}", compile.trim_end())
        .replace("{texts}", answers::texts().trim_end()))
}
