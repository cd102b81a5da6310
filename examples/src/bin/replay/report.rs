//! The report on one call, with its result and the answer to the model, and the summary at the end.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use anstyle::{AnsiColor, Style};
use examples::layout::laid_out;
use serde::Serialize;
use tool_runtime::tool_schema::repair::summary_lines;
use tool_runtime::{Failure, Outcome};

use crate::transcript::{Call, USUAL};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();

/// The maximum number of characters of arguments that are printed.
const SHOWN: usize = 160;

/// The report on one call as text.
pub(crate) struct Report<'r> {
    pub(crate) call: &'r Call,
    pub(crate) outcome: &'r Outcome,
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Call { id, tool, arguments, after } = self.call;
        if *after != USUAL {
            writeln!(f, "{DIM}… {} s later{DIM:#}\n", after.as_secs_f64())?;
        }
        let (id, tool) = (printable(id, SHOWN), printable(tool, SHOWN));
        writeln!(f, "{DIM}{id}{DIM:#}  {BOLD}{tool}{BOLD:#}  {}", shortened(arguments))?;
        match self.outcome.as_result() {
            Ok(_) => writeln!(f, "  {GOOD}ran{GOOD:#}")?,
            Err(failure) => {
                writeln!(f, "  {BAD}{}{BAD:#} → {}", failure.error_type(), failure.recovery().as_str())?;
                for issue in failure.issues() {
                    writeln!(f, "    {} {}", issue.constraint.code(), issue.message())?;
                }
            }
        }
        for line in summary_lines(self.outcome.repairs()) {
            writeln!(f, "  repaired: {line}")?;
        }
        for warning in self.outcome.warnings() {
            writeln!(f, "  warned: {warning}")?;
        }
        let told = self.outcome.to_text();
        for line in laid_out(&told).lines() {
            writeln!(f, "  {DIM}│{DIM:#} {line}")?;
        }
        Ok(())
    }
}

fn shortened(arguments: &str) -> String {
    let line = printable(arguments, SHOWN);
    if arguments.chars().nth(SHOWN).is_some() { line + "…" } else { line }
}

/// Returns the beginning of a text as one line, without control characters, because a terminal would execute these.
fn printable(text: &str, most: usize) -> String {
    let blank = |character: char| if character.is_control() { ' ' } else { character };
    text.chars().take(most).map(blank).collect()
}

/// The report on one call as JSON.
#[derive(Serialize)]
struct Line<'o> {
    id: &'o str,
    tool: &'o str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recovery: Option<&'static str>,
    told: Cow<'o, str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    warnings: Vec<&'o str>,
}

/// Returns the report on one call as a line of JSON.
pub(crate) fn line(outcome: &Outcome) -> serde_json::Result<String> {
    let failure = outcome.failure();
    serde_json::to_string(&Line {
        id: outcome.call_id(),
        tool: outcome.tool_name(),
        verdict: match failure {
            Some(_) => "rejected",
            None if outcome.repairs().is_empty() => "ok",
            None => "repaired",
        },
        error_type: failure.map(Failure::error_type),
        recovery: failure.map(|failure| failure.recovery().as_str()),
        told: outcome.to_text(),
        warnings: outcome.warnings().iter().map(|warning| &**warning).collect(),
    })
}

/// The numbers of calls with each result.
#[derive(Default)]
pub(crate) struct Summary {
    ran: usize,
    failed: BTreeMap<&'static str, usize>,
}

impl Summary {
    pub(crate) fn count(&mut self, outcome: &Outcome) {
        match outcome.as_result() {
            Ok(_) => self.ran += 1,
            Err(failure) => *self.failed.entry(failure.error_type()).or_default() += 1,
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let failed: usize = self.failed.values().sum();
        write!(
            f,
            "{BOLD}{} calls{BOLD:#}: {} ran, {failed} were answered with a failure",
            self.ran + failed,
            self.ran
        )?;
        for (error_type, count) in &self.failed {
            write!(f, "\n  {count:>3}  {error_type}")?;
        }
        Ok(())
    }
}
