//! `toolbox report`: counts the calls of a recording, by tool, issue and repair, and writes a page with the calls.
//!
//! Invariant: the memory grows by a few bytes for each call, apart from the calls that the page shows. A line that cannot be used is reported with its number, and the following lines
//! still count.

mod counts;
mod page;

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};

use self::counts::{Report, duration, read, sorted};
use super::complaint::complain;
use super::ending::{CheckError, Ending};
use super::input::{InputError, Source};
use super::options::ReportOptions;
use super::style::{BAD, BOLD, DIM, shortened};

/// The number of issues and repairs that are printed.
const SHOWN: usize = 10;

pub(super) fn report(options: &ReportOptions, out: &mut dyn Write) -> Result<Ending, CheckError> {
    let mut source = Source::open(&options.recording)?;
    let (mut report, mut number) = (Report { shows_calls: options.output.is_some(), ..Report::default() }, 0);
    while let Some(line) = source.line(&mut number) {
        let file = || source.name.clone();
        let read = line.and_then(|(line, _)| {
            read(&line).map_err(|reason| InputError::Line { file: file(), line: number, reason })
        });
        match read {
            Ok(line) => report.add(line),
            Err(fault) => {
                complain(&fault);
                report.unusable += 1;
            }
        }
    }
    match &options.output {
        Some(path) => fs::write(path, page::page(&report, &options.recording))
            .map_err(|error| io::Error::other(format!("{} cannot be written: {error}", path.display())))?,
        None => write(&report, out)?,
    }
    Ok(if report.unusable > 0 { Ending::Unusable } else { Ending::Done })
}

/// Prints the counts.
fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let calls: usize = report.rows.values().map(|row| row.calls).sum();
    writeln!(out, "{BOLD}{calls} calls{BOLD:#} of {} tools in {}", report.rows.len(), duration(report.time()))?;
    let width = report.rows.keys().map(|name| shortened(name).chars().count()).max().unwrap_or(0).max(4);
    writeln!(
        out,
        "\n{BOLD}{:width$} {:>7} {:>9} {:>8} {:>8} {:>9} {:>9} {:>8} {:>7} {:>9}{BOLD:#}",
        "tool", "calls", "first try", "repaired", "refused", "corrected", "throttled", "declined", "failed", "median"
    )?;
    for (name, row) in &report.rows {
        let name = shortened(name);
        writeln!(
            out,
            "{name:width$} {:>7} {:>7} % {:>8} {:>8} {:>9} {:>9} {:>8} {:>7} {:>9}",
            row.calls,
            row.first_try(),
            row.repaired,
            row.refused,
            row.corrected(),
            row.throttled,
            row.declined,
            row.failed,
            row.median_text(),
        )?;
    }
    top(out, "issues of refused calls", &report.issues)?;
    top(out, "repairs", &report.repairs)?;
    if report.unusable > 0 {
        writeln!(out, "\n{BAD}{} lines could not be used{BAD:#}", report.unusable)?;
    }
    Ok(())
}

/// Prints the most frequent entries.
fn top(out: &mut dyn Write, title: &str, counts: &HashMap<[String; 3], usize>) -> io::Result<()> {
    if counts.is_empty() {
        return Ok(());
    }
    let sorted = sorted(counts);
    writeln!(out, "\n{BOLD}{title}{BOLD:#}")?;
    for ([name, tool, path], count) in sorted.iter().take(SHOWN) {
        writeln!(out, "{count:>7}  {}  {} {DIM}{}{DIM:#}", shortened(name), shortened(tool), shortened(path))?;
    }
    if sorted.len() > SHOWN {
        writeln!(out, "{:>7}  {} other kinds", "", sorted.len() - SHOWN)?;
    }
    Ok(())
}
