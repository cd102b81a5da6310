//! `toolbox lint`: prints problems in definitions that can be found without a call.
//!
//! Each finding names the tool, the location in the schema, and the replacement if it is known.
//!
//! Invariant: a finding is an error if a provider rejects the definition, or if no call can satisfy it. All other findings are warnings.

mod finding;
mod keywords;
mod names;
mod schema;

use std::io::Write;

use crate::private::json::{Json, Writer};
use tool_dynamic::__private_0_1_0::PoisoningSign;
use tool_runtime::tool_schema::dialect::{Definition, Dialect};

use self::finding::{Finding, Severity};
use super::definitions::SCHEMA;
use super::ending::{CheckError, Ending};
use super::options::{LintLevel, LintOptions};
use super::schema::definitions;
use super::shelf::{Shelf, Shelved};
use super::style::{BAD, BOLD, DIM, WARN, short_line};

pub(super) fn lint(shelf: &Shelf, options: &LintOptions, out: &mut dyn Write) -> Result<Ending, CheckError> {
    let mut counts = [0_usize; 2];
    let mut together = names::together(&shelf.tools, options.dialect).into_iter().peekable();
    let tools: Vec<&Shelved> = shelf.tools.iter().collect();
    let mut rendered = options.dialect.map(|dialect| definitions(&tools, dialect).into_iter());
    for (index, shelved) in shelf.tools.iter().enumerate() {
        let mut findings = of(shelved);
        if options.dialect.is_none_or(|dialect| dialect == Dialect::MCP) {
            findings.extend(shelved.not_objects.iter().map(|keyword| for_clients(keyword)));
        }
        if let Some(Ok(definition)) = rendered.as_mut().and_then(Iterator::next) {
            findings.extend(in_dialect(&definition));
        }
        while let Some((_, finding)) = together.next_if(|(at, _)| *at == index) {
            findings.push(finding);
        }
        for finding in findings {
            counts[finding.severity as usize] += 1;
            if options.json {
                writeln!(out, "{}", line(shelved, &finding))?;
            } else {
                report(shelved, &finding, out)?;
            }
        }
    }
    if !options.json {
        let [errors, warnings] = counts;
        writeln!(out, "{BOLD}{} tools{BOLD:#}: {errors} errors, {warnings} warnings", shelf.tools.len())?;
    }
    Ok(match options.fail_on {
        Some(LintLevel::Error) if counts[0] > 0 => Ending::Found,
        Some(LintLevel::Warning) if counts != [0, 0] => Ending::Found,
        _ => Ending::Done,
    })
}

/// Returns the findings of a single definition.
fn of(shelved: &Shelved) -> Vec<Finding> {
    let mut findings = names::of(&shelved.name);
    match &shelved.tool {
        Err(reason) => findings.push(Finding::error("schema", "", format!("the schema cannot be used: {reason}"))),
        Ok(tool) => {
            let spec = tool.spec();
            names::description(&spec.description, &mut findings);
            match &shelved.schema {
                Some(text) => inspect(text, &mut findings),
                None => inspect(&spec.schema(), &mut findings),
            }
        }
    }
    findings.extend(shelved.signs.iter().map(of_sign));
    findings
}

/// Returns the finding about a sign of an attack. Only a pointer into the schema is a pointer of a finding.
fn of_sign(sign: &PoisoningSign) -> Finding {
    let in_schema = |key| sign.pointer.strip_prefix('/')?.strip_prefix(key).filter(|rest| rest.starts_with('/'));
    match SCHEMA.into_iter().find_map(in_schema) {
        Some(pointer) => Finding::warning(sign.rule, pointer, &*sign.message),
        None => Finding::warning(sign.rule, "", format!("{}: {}", &sign.pointer[1..], sign.message)),
    }
}

/// Returns the finding about a schema of an MCP server that does not describe an object.
fn for_clients(keyword: &str) -> Finding {
    let message = format!("{keyword} has no `\"type\": \"object\"`: some clients of MCP drop all tools of the server");
    Finding::error("not_an_object", "", message)
}

/// Returns a finding for each tool that a dialect rejects or cannot express.
fn in_dialect(definition: &Definition) -> impl Iterator<Item = Finding> {
    let is_omitted = definition.omits_tool();
    definition.notes().iter().map(move |note| {
        if is_omitted {
            Finding::error("omitted", note.pointer(), note.reason())
        } else {
            Finding::warning("not_strict", note.pointer(), note.reason())
        }
    })
}

fn inspect(text: &str, findings: &mut Vec<Finding>) {
    match Json::parse(text) {
        Ok(schema) => schema::inspect(&schema, findings),
        Err(error) => findings.push(Finding::error("schema", "", error.to_string())),
    }
}

fn line(shelved: &Shelved, finding: &Finding) -> String {
    let mut line = String::new();
    Writer::new(&mut line).object(|entry| {
        entry.string("tool", &shelved.name);
        if shelved.line > 0 {
            entry.number("line", shelved.line.into());
        }
        entry.string("severity", if finding.severity == Severity::Error { "error" } else { "warning" });
        entry.string("rule", finding.rule);
        entry.string("pointer", &finding.pointer);
        entry.string("message", &finding.message);
    });
    line
}

fn report(shelved: &Shelved, finding: &Finding, out: &mut dyn Write) -> std::io::Result<()> {
    let (style, word) = match finding.severity {
        Severity::Error => (BAD, "error"),
        Severity::Warning => (WARN, "warning"),
    };
    write!(out, "{style}{word:<7}{style:#}  {BOLD}{}{BOLD:#}", short_line(&shelved.name))?;
    if shelved.line > 0 {
        write!(out, "{DIM}:{}{DIM:#}", shelved.line)?;
    }
    if !finding.pointer.is_empty() {
        write!(out, " {DIM}{}{DIM:#}", short_line(&finding.pointer))?;
    }
    writeln!(out, "  {}", short_line(&finding.message))
}
