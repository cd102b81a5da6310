//! `toolbox parse`: leniently parses texts that should be JSON.
//!
//! The input is JSON Lines `{id?, raw}`. The output is a line of JSON for each text, or a report.
//!
//! Invariant: a text that ends before all brackets and strings are closed is `incomplete`, even if most of it could be parsed.

use std::io::Write;

use crate::private::json::{Json, Node, Writer};
use tool_runtime::Repair;
use tool_runtime::tool_schema::repair::{ReadError, Reading, lines, read};

use super::calls;
use super::complaint::complain;
use super::ending::{CheckError, Ending};
use super::input::Source;
use super::options::ParseOptions;
use super::style::{BAD, BOLD, DIM, GOOD, WARN, shortened};

/// The names of the results, in the order of the table.
const STATUSES: [&str; 4] = ["clean", "repaired", "incomplete", "refused"];

pub(super) fn parse(options: &ParseOptions, out: &mut dyn Write) -> Result<Ending, CheckError> {
    let mut source = Source::open(&options.input)?;
    let (mut number, mut unusable, mut counts) = (0, 0_usize, [0_usize; STATUSES.len()]);
    while let Some(line) = source.line(&mut number) {
        let text = line.and_then(|(line, _)| raw(&line).map_err(|reason| source.fault(number, reason)));
        let (id, text) = match text {
            Ok(text) => text,
            Err(fault) => {
                unusable += 1;
                complain(&fault);
                continue;
            }
        };
        let found = Found::of(read(&text));
        counts[found.status] += 1;
        if options.json {
            writeln!(out, "{}", found.line(&id))?;
        } else {
            found.report(&id, out)?;
        }
    }
    if !options.json {
        writeln!(out, "{BOLD}{:>6} texts{BOLD:#}", counts.iter().sum::<usize>())?;
        for (status, count) in STATUSES.iter().zip(counts) {
            writeln!(out, "{count:>6} {status}")?;
        }
    }
    Ok(if unusable > 0 { Ending::Unusable } else { Ending::Done })
}

/// Returns the id of a line as JSON text, and its text.
fn raw(line: &str) -> Result<(String, String), String> {
    let json = Json::parse(line).map_err(|error| error.to_string())?;
    match json.get("raw").map(|raw| &raw.node) {
        Some(Node::String(raw)) => Ok((calls::id(line, &json)?, raw.to_string())),
        _ => Err("a line must be an object {id?, raw}, in which raw is a string".to_owned()),
    }
}

/// The result for one text.
struct Found<'t> {
    /// An index in [`STATUSES`].
    status: usize,
    value: Option<Json<'t>>,
    repairs: Vec<Repair>,
    errors: Vec<ReadError>,
}

impl<'t> Found<'t> {
    fn of(reading: Reading<'t>) -> Self {
        match reading {
            Reading::Clean(value) => Self { status: 0, value: Some(value), repairs: Vec::new(), errors: Vec::new() },
            Reading::Repaired { value, repairs } => Self { status: 1, value: Some(value), repairs, errors: Vec::new() },
            Reading::Incomplete { partial, repairs, errors } => Self { status: 2, value: partial, repairs, errors },
            Reading::Refused { partial, repairs, errors } => Self { status: 3, value: partial, repairs, errors },
        }
    }

    fn line(&self, id: &str) -> String {
        let mut line = String::new();
        Writer::new(&mut line).object(|text| {
            text.raw("id", id);
            text.string("status", STATUSES[self.status]);
            match &self.value {
                Some(value) => text.json("value", value),
                None => text.null("value"),
            }
            text.array("repairs", &self.repairs, super::style::repair);
            text.array("errors", &self.errors, |writer, error| {
                writer.object(|entry| {
                    entry.number("offset", error.offset.into());
                    entry.string("message", &error.message.to_string());
                    entry.string("context", &error.context);
                });
            });
        });
        line
    }

    fn report(&self, id: &str, out: &mut dyn Write) -> std::io::Result<()> {
        let style = [GOOD, WARN, WARN, BAD][self.status];
        writeln!(out, "{style}{:<10}{style:#}  {DIM}{}{DIM:#}", STATUSES[self.status], shortened(id))?;
        for line in lines(&self.repairs) {
            writeln!(out, "  {}", shortened(&line))?;
        }
        for error in &self.errors {
            writeln!(out, "  {BAD}byte {}{BAD:#} {}: {}", error.offset, error.message, shortened(&error.context))?;
        }
        if let Some(value) = self.value.as_ref().filter(|_| self.status > 0) {
            writeln!(out, "  {}", shortened(&value.to_text()))?;
        }
        Ok(())
    }
}
