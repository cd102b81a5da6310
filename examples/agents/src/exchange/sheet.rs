//! Entries of a transcript as text for people.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use tool_chat::conversation::TurnEnd;
use tool_chat::transcript::{Call, Entry};
use tool_runtime::failure::Failure;
use tool_runtime::tool_schema::repair::summary_lines;

use super::{Noted, is_answered};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();

/// The maximum number of characters of a line.
const SHOWN: usize = 150;

/// The maximum number of lines of a result.
const LINES: usize = 8;

pub(super) fn entry(out: &mut dyn Write, entry: &Entry, noted: &Noted) -> io::Result<()> {
    match entry {
        Entry::Prompt { text, .. } => writeln!(out, "{BOLD}user{BOLD:#}   {text}\n"),
        Entry::Answer { text, .. } => writeln!(out, "{BOLD}model{BOLD:#}  {text}\n"),
        Entry::Called(call) => called(out, call, noted),
        _ => Ok(()),
    }
}

fn called(out: &mut dyn Write, call: &Call, noted: &Noted) -> io::Result<()> {
    let outcome = &call.outcome;
    let Call { name, arguments, .. } = call;
    writeln!(out, "{DIM}step {}{DIM:#} {BOLD}{name}{BOLD:#} {}", call.step + 1, short(arguments))?;
    for line in summary_lines(outcome.repairs()) {
        note(out, "repaired", &line)?;
    }
    for wait in noted.waits(outcome.call_id()) {
        note(out, "repeated", &format!("after {} ms", wait.as_millis()))?;
    }
    for warning in outcome.warnings() {
        note(out, "warned", warning)?;
    }
    match outcome.as_result() {
        Ok(payload) => result(out, payload.as_str())?,
        Err(failure) => failed(out, failure)?,
    }
    writeln!(out)
}

/// Prints the first lines of a result.
fn result(out: &mut dyn Write, text: &str) -> io::Result<()> {
    let mut lines = text.lines();
    writeln!(out, "  {GOOD}{:<9}{GOOD:#} {}", "result", short(lines.next().unwrap_or_default()))?;
    for line in lines.by_ref().take(LINES - 1) {
        writeln!(out, "{}", format!("  {:<9} {}", "", short(line)).trim_end())?;
    }
    match lines.count() {
        0 => Ok(()),
        more => writeln!(out, "  {:<9} {DIM}… {more} more lines{DIM:#}", ""),
    }
}

fn failed(out: &mut dyn Write, failure: &Failure) -> io::Result<()> {
    let told = failure.to_value();
    let text = |key: &str| told[key].as_str().unwrap_or_default().to_owned();
    let kind = failure.error_type();
    writeln!(out, "  {BAD}{:<9}{BAD:#} {kind}: {}", "failed", short(&text("error_message")))?;
    match &*text("retry_guidance") {
        "" => Ok(()),
        guidance => note(out, "told", guidance),
    }
}

fn note(out: &mut dyn Write, what: &str, text: &str) -> io::Result<()> {
    writeln!(out, "  {DIM}{what:<9}{DIM:#} {}", short(text))
}

pub(super) fn end(out: &mut dyn Write, end: &TurnEnd) -> io::Result<()> {
    match end {
        // The answer has already been printed.
        TurnEnd::Answered { .. } if is_answered(end) => Ok(()),
        TurnEnd::Answered { .. } => writeln!(out, "{BAD}ended{BAD:#}  the answer of the model was empty\n"),
        TurnEnd::Exhausted { tool, attempts, .. } => {
            writeln!(out, "{BAD}ended{BAD:#}  {tool} was rejected {attempts} times in a row\n")
        }
        TurnEnd::Limited { limit } => writeln!(out, "{BAD}ended{BAD:#}  the turn reached a limit: {limit:?}\n"),
        TurnEnd::Failed { error } => writeln!(out, "{BAD}ended{BAD:#}  {}\n", short(&error.to_string())),
        other => writeln!(out, "{BAD}ended{BAD:#}  {}\n", short(&format!("{other:?}"))),
    }
}

/// Returns a text as one line, truncated and without control characters, so that files and models cannot control the terminal.
fn short(text: &str) -> String {
    let shown = |character: char| match character {
        '\n' => '⏎',
        control if control.is_control() => ' ',
        other => other,
    };
    let mut line: String = text.trim_end().chars().take(SHOWN).map(shown).collect();
    if text.trim_end().chars().nth(SHOWN).is_some() {
        line.push('…');
    }
    line
}
