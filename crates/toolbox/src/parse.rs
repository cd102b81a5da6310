//! `toolbox parse`: leniently parses texts that should be JSON.
//!
//! The input is JSON Lines `{id?, raw}`. The output is a line of JSON for each text, or a report.
//!
//! With `--format`, the texts are answers of a model, and the output has the calls in them.
//!
//! Invariant: a text that ends before all brackets and strings are closed is `incomplete`, even if most of it could be parsed.

use std::io::Write;

use tool_formats::{CallReader, TextAnswer};

use crate::private::json::{Json, Node, Writer};
use crate::private::shape::{Ref, Shape};
use tool_runtime::Repair;
use tool_runtime::tool_schema::repair::{RepairedText, TextError, repair_text, summary_lines};

use super::calls;
use super::complaint::complain;
use super::ending::{CheckError, Ending};
use super::input::ContainerSource;
use super::options::ParseOptions;
use super::style::{BAD, BOLD, DIM, GOOD, WARN, short_line};

/// The names of the results, in the order of the table.
const STATUSES: [&str; 4] = ["clean", "repaired", "incomplete", "rejected"];

pub(super) fn parse(options: &ParseOptions, out: &mut dyn Write) -> Result<Ending, CheckError> {
    let mut source = ContainerSource::open(&options.input)?;
    let (mut number, mut unusable, mut counts) = (0, 0_usize, [0_usize; STATUSES.len()]);
    let (mut answers, mut found_calls) = (0_usize, 0_usize);
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
        if let Some(formats) = &options.format {
            let answer = CallReader::new(&formats.0, |_| Some(Ref::Static(Shape::ANY))).read(&text);
            answers += 1;
            found_calls += answer.calls.len();
            show_answer(&answer, &id, options.json, out)?;
            continue;
        }
        let found = Found::of(repair_text(&text));
        counts[found.status] += 1;
        if options.json {
            writeln!(out, "{}", found.line(&id))?;
        } else {
            found.report(&id, out)?;
        }
    }
    if !options.json && options.format.is_some() {
        writeln!(out, "{BOLD}{answers:>6} texts{BOLD:#}\n{found_calls:>6} calls")?;
    } else if !options.json {
        writeln!(out, "{BOLD}{:>6} texts{BOLD:#}", counts.iter().sum::<usize>())?;
        for (status, count) in STATUSES.iter().zip(counts) {
            writeln!(out, "{count:>6} {status}")?;
        }
    }
    Ok(if unusable > 0 { Ending::Unusable } else { Ending::Done })
}

/// Prints the calls in an answer, and the text without them.
fn show_answer(answer: &TextAnswer, id: &str, is_json: bool, out: &mut dyn Write) -> std::io::Result<()> {
    if is_json {
        let mut line = String::new();
        Writer::new(&mut line).object(|members| {
            members.json_text("id", id);
            members.string("text", &answer.text);
            members.array("calls", &answer.calls, |writer, call| {
                writer.object(|members| {
                    members.string("name", &call.name);
                    members.string("arguments", &call.arguments);
                    members.string("format", call.format.name());
                });
            });
        });
        return writeln!(out, "{line}");
    }
    let (style, kind) = if answer.calls.is_empty() { (DIM, "text") } else { (GOOD, "calls") };
    writeln!(out, "{style}{kind:<10}{style:#}  {DIM}{}{DIM:#}", short_line(id))?;
    for call in &answer.calls {
        writeln!(
            out,
            "  {} {}  {DIM}{}{DIM:#}",
            short_line(&call.name),
            short_line(&call.arguments),
            call.format.name()
        )?;
    }
    Ok(())
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
    errors: Vec<TextError>,
}

impl<'t> Found<'t> {
    fn of(reading: RepairedText<'t>) -> Self {
        match reading {
            RepairedText::Clean(value) => {
                Self { status: 0, value: Some(value), repairs: Vec::new(), errors: Vec::new() }
            }
            RepairedText::Repaired { value, repairs } => {
                Self { status: 1, value: Some(value), repairs, errors: Vec::new() }
            }
            RepairedText::Incomplete { partial, repairs, errors } => {
                Self { status: 2, value: partial, repairs, errors }
            }
            RepairedText::Rejected { partial, repairs, errors } => Self { status: 3, value: partial, repairs, errors },
        }
    }

    fn line(&self, id: &str) -> String {
        let mut line = String::new();
        Writer::new(&mut line).object(|text| {
            text.json_text("id", id);
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
        writeln!(out, "{style}{:<10}{style:#}  {DIM}{}{DIM:#}", STATUSES[self.status], short_line(id))?;
        for line in summary_lines(&self.repairs) {
            writeln!(out, "  {}", short_line(&line))?;
        }
        for error in &self.errors {
            writeln!(out, "  {BAD}byte {}{BAD:#} {}: {}", error.offset, error.message, short_line(&error.context))?;
        }
        if let Some(value) = self.value.as_ref().filter(|_| self.status > 0) {
            writeln!(out, "  {}", short_line(&value.to_text()))?;
        }
        Ok(())
    }
}
