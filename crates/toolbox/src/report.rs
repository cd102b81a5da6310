//! `toolbox report`: counts the calls of a recording, compares two recordings, and writes a page with the calls.
//!
//! Invariant: a line that cannot be used is reported with its number, and the following lines still count.

use std::fs;
use std::io::{self, Write};
use std::time::Duration;

use tool_report::{CallReport, ChangedCall, Comparison, IssueOrRepairCount, ToolCounts};

use super::complaint::complain;
use super::ending::{CheckError, Ending};
use super::input::{ContainerSource, InputError};
use super::options::ReportOptions;
use super::style::{BAD, BOLD, DIM, short_line};

/// The number of issues, repairs and changed calls that are printed.
const SHOWN: usize = 10;

pub(super) fn report(options: &ReportOptions, out: &mut dyn Write) -> Result<Ending, CheckError> {
    let reports = options.recordings.iter().map(|file| read(file)).collect::<Result<Vec<_>, _>>()?;
    let is_unusable = reports.iter().any(|report| report.unusable_lines() > 0);
    let title = format!("Calls of {}", options.recordings.join(" and "));
    let mut reports = reports.into_iter();
    let page = match (reports.next(), reports.next()) {
        (Some(before), Some(after)) => {
            let comparison = Comparison::new(before, after);
            if options.output.is_none() {
                write_comparison(&comparison, out)?;
            }
            options.output.as_ref().map(|path| (path, comparison.to_html(&title)))
        }
        (report, _) => {
            let report = report.unwrap_or_default();
            if options.output.is_none() {
                write(&report, out)?;
            }
            options.output.as_ref().map(|path| (path, report.to_html(&title)))
        }
    };
    if let Some((path, page)) = page {
        fs::write(path, page)
            .map_err(|error| io::Error::other(format!("{} cannot be written: {error}", path.display())))?;
    }
    Ok(if is_unusable { Ending::Unusable } else { Ending::Done })
}

fn read(file: &str) -> Result<CallReport, CheckError> {
    let mut source = ContainerSource::open(file)?;
    let (mut report, mut number) = (CallReport::new(), 0);
    while let Some(line) = source.line(&mut number) {
        let file = || source.name.clone();
        let read = line.and_then(|(line, _)| {
            line.parse().map_err(|reason| InputError::Line { file: file(), line: number, reason })
        });
        match read {
            Ok(line) => report.add_line(line),
            Err(fault) => {
                complain(&fault);
                report.add_unusable_line();
            }
        }
    }
    Ok(report)
}

/// Returns the width of a column with these names.
fn width<'n>(names: impl Iterator<Item = &'n str>) -> usize {
    names.map(|name| short_line(name).chars().count()).max().unwrap_or(0).max(4)
}

/// Prints the counts.
fn write(report: &CallReport, out: &mut dyn Write) -> io::Result<()> {
    let calls = report.calls();
    writeln!(out, "{BOLD}{calls} calls{BOLD:#} of {} tools in {}", report.tools().len(), duration(report.time()))?;
    let width = width(report.tools().keys().map(String::as_str));
    writeln!(
        out,
        "\n{BOLD}{:width$} {:>7} {:>9} {:>8} {:>8} {:>9} {:>9} {:>8} {:>7} {:>9}{BOLD:#}",
        "tool", "calls", "first try", "repaired", "rejected", "corrected", "throttled", "denied", "failed", "median"
    )?;
    for (name, row) in report.tools() {
        let name = short_line(name);
        writeln!(
            out,
            "{name:width$} {:>7} {:>7} % {:>8} {:>8} {:>9} {:>9} {:>8} {:>7} {:>9}",
            row.calls,
            row.first_try_percent(),
            row.repaired,
            row.rejected,
            corrected(row),
            row.throttled,
            row.denied,
            row.failed,
            median(row),
        )?;
    }
    top(out, "issues of rejected calls, and hints that the next call followed", &report.issues(), true)?;
    top(out, "repairs", &report.repairs(), false)?;
    if report.unusable_lines() > 0 {
        writeln!(out, "\n{BAD}{} lines could not be used{BAD:#}", report.unusable_lines())?;
    }
    Ok(())
}

/// Prints the differences between two recordings.
fn write_comparison(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let (before, after) = (comparison.before(), comparison.after());
    writeln!(
        out,
        "{BOLD}{} calls before, {} after{BOLD:#}; {} with equal arguments, of which {} ended in another way",
        before.calls(),
        after.calls(),
        comparison.matched_calls(),
        comparison.changed_count()
    )?;
    let width = width(comparison.tools().into_iter());
    writeln!(
        out,
        "\n{BOLD}{:width$} {:>9} {:>14} {:>14} {:>14} {:>16} {:>14} {:>14} {:>16}{BOLD:#}",
        "tool", "calls", "first try", "repaired", "rejected", "corrected", "throttled", "failed", "median"
    )?;
    for name in comparison.tools() {
        let counts = |report: &CallReport| report.tools().get(name).cloned().unwrap_or_default();
        let (before, after) = (counts(before), counts(after));
        let both = |of: &dyn Fn(&ToolCounts) -> String| format!("{} → {}", of(&before), of(&after));
        let share = |of: fn(&ToolCounts) -> usize| both(&|row| format!("{} %", row.percent_of_calls(of(row))));
        writeln!(
            out,
            "{:width$} {:>9} {:>14} {:>14} {:>14} {:>16} {:>14} {:>14} {:>16}",
            short_line(name),
            both(&|row| row.calls.to_string()),
            both(&|row| format!("{} %", row.first_try_percent())),
            share(|row| row.repaired),
            share(|row| row.rejected),
            both(&corrected),
            share(|row| row.throttled),
            share(|row| row.failed),
            both(&median),
        )?;
    }
    top(out, "new issues", &comparison.new_issues(), true)?;
    top(out, "issues that are gone", &comparison.resolved_issues(), true)?;
    if !comparison.changed_calls().is_empty() {
        writeln!(out, "\n{BOLD}equal calls that ended in another way{BOLD:#}")?;
    }
    for ChangedCall { tool, arguments, before, after, .. } in comparison.changed_calls().iter().take(SHOWN) {
        writeln!(out, "{before:>9} → {after:9}  {} {DIM}{}{DIM:#}", short_line(tool), short_line(arguments))?;
    }
    if comparison.changed_count() > SHOWN {
        writeln!(out, "{:>9}   {} others", "", comparison.changed_count() - SHOWN)?;
    }
    Ok(())
}

fn corrected(row: &ToolCounts) -> String {
    if row.rejected == 0 { "–".to_owned() } else { format!("{} of {}", row.corrected, row.rejected) }
}

fn median(row: &ToolCounts) -> String {
    row.median_ms().map_or_else(|| "–".to_owned(), |ms| format!("{ms:.0} ms"))
}

/// Prints the most frequent entries.
fn top(out: &mut dyn Write, title: &str, counts: &[IssueOrRepairCount<'_>], has_followed: bool) -> io::Result<()> {
    if counts.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}{title}{BOLD:#}")?;
    for IssueOrRepairCount { name, tool, path, calls, followed, .. } in counts.iter().take(SHOWN) {
        let followed = if has_followed { format!(" {followed:>7}") } else { String::new() };
        writeln!(
            out,
            "{calls:>7}{followed}  {}  {} {DIM}{}{DIM:#}",
            short_line(name),
            short_line(tool),
            short_line(path)
        )?;
    }
    if counts.len() > SHOWN {
        writeln!(out, "{:>7}  {} other kinds", "", counts.len() - SHOWN)?;
    }
    Ok(())
}

fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        60..3_600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds / 60 % 60),
    }
}
