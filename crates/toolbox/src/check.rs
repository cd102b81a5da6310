//! `toolbox check`: prints a verdict on every recorded call.
//!
//! The output is a line of JSON for each call, or a report of the repaired and rejected calls with a table of counts.
//!
//! Invariants: verdicts are in the order of the calls, and do not depend on the number of threads. An invalid line is reported with its
//! number, and the following lines are still checked. The memory does not grow with the number of calls.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use crate::private::json::Writer;
use tool_runtime::RepairPolicy;
use tool_runtime::tool_schema::dialect::{Definition, Dialect, Inverse};
use tool_runtime::tool_schema::repair::summary_lines;

use super::calls;
use super::complaint::complain;
use super::ending::{CheckError, Ending};
use super::input::{ContainerSource, InputError};
use super::judge::{Judged, Verdict, judge, judge_rewritten};
use super::options::{CheckOptions, FailOn};
use super::progress::progress;
use super::schema::definitions;
use super::shelf::{Found, Shelf, Shelved};
use super::style::{BAD, BOLD, DIM, GOOD, WARN, short_line};
use super::workers::in_order;

/// The number of bytes after which a block of lines is complete.
const BYTES: usize = 1 << 16;
/// The maximum number of lines of a block.
const LINES: usize = 1 << 10;

pub(super) fn check(shelf: &Shelf, options: &CheckOptions, out: &mut dyn Write) -> Result<Ending, CheckError> {
    let mut source = ContainerSource::open(&options.calls)?;
    let file = source.name.clone();
    let bar = progress(source.size);
    let mut counts = Counts::default();
    let inverses = options.dialect.map(|dialect| inverses(shelf, dialect)).unwrap_or_default();
    let threads = options.threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN);
    let mut number = 0;
    let next = || block(&mut source, &mut number);
    let work = |lines: Block| Checked::of(lines, &file, shelf, &inverses, options);
    in_order(threads, next, work, |checked| {
        bar.inc(checked.bytes);
        counts.absorb(checked.counts);
        bar.suspend(|| {
            checked.faults.iter().for_each(|fault| complain(fault));
            out.write_all(&checked.text)
        })
    })?;
    bar.finish_and_clear();
    if !options.json {
        counts.table(out)?;
    }
    Ok(match options.fail_on {
        _ if counts.unusable > 0 => Ending::Unusable,
        Some(FailOn::Rejected) if counts.rejected > 0 => Ending::Found,
        Some(FailOn::Repaired) if counts.rejected + counts.repaired > 0 => Ending::Found,
        _ => Ending::Done,
    })
}

/// Lines with their numbers and bytes. A line that cannot be read is an error.
type Block = Vec<(usize, Result<(String, u64), InputError>)>;

/// Reads the next lines; `None` at the end.
fn block(source: &mut ContainerSource, number: &mut usize) -> Option<Block> {
    let (mut block, mut bytes) = (Block::new(), 0);
    while bytes < BYTES && block.len() < LINES {
        let Some(line) = source.line(number) else { break };
        bytes += line.as_ref().map_or(0, |(text, _)| text.len());
        block.push((*number, line));
    }
    (!block.is_empty()).then_some(block)
}

/// The verdicts on the calls of a block.
#[derive(Default)]
struct Checked {
    /// The output.
    text: Vec<u8>,
    faults: Vec<InputError>,
    counts: Counts,
    /// The number of bytes that were read.
    bytes: u64,
}

impl Checked {
    fn of(lines: Block, file: &str, shelf: &Shelf, inverses: &Inverses, options: &CheckOptions) -> Self {
        let mut checked = Self::default();
        for (number, line) in lines {
            let judged = line.and_then(|(line, bytes)| {
                checked.bytes += bytes;
                one(shelf, inverses, &line, options.policy.policy()).map_err(|reason| InputError::Line {
                    file: file.to_owned(),
                    line: number,
                    reason,
                })
            });
            match judged {
                Ok(None) => {}
                Ok(Some((id, Checking::Kept(tool, verdict)))) => checked.keep(&id, &tool, &verdict, options.json),
                Ok(Some((id, Checking::Judged(judged)))) => checked.add(&id, &judged, options.json),
                Err(fault) => {
                    checked.counts.unusable += 1;
                    checked.faults.push(fault);
                }
            }
        }
        checked
    }

    /// Adds a call whose recorded verdict is kept.
    fn keep(&mut self, id: &str, tool: &str, verdict: &str, json: bool) {
        self.counts.kept += 1;
        if json {
            let mut line = String::new();
            Writer::new(&mut line).object(|call| {
                call.json_text("id", id);
                call.string("tool", tool);
                call.string("verdict", verdict);
                call.bool("recorded", true);
            });
            // Writing to memory cannot fail.
            let _ = writeln!(self.text, "{line}");
        }
    }

    fn add(&mut self, id: &str, judged: &Judged, json: bool) {
        self.counts.add(judged);
        let text = &mut self.text;
        // Writing to memory cannot fail.
        let _ = if json { writeln!(text, "{}", json_line(id, judged)) } else { report(text, id, judged) };
    }
}

/// The inverses of the tools whose schemas a dialect rewrites, keyed by the address of the tool.
type Inverses = HashMap<usize, Arc<Inverse>>;

fn inverses(shelf: &Shelf, dialect: Dialect) -> Inverses {
    let tools: Vec<&Shelved> = shelf.tools.iter().collect();
    let rendered = tools.iter().zip(definitions(&tools, dialect));
    let inverse = |(shelved, definition): (&&Shelved, Result<Definition, String>)| {
        Some((std::ptr::from_ref(*shelved).addr(), Arc::clone(definition.ok()?.inverse()?)))
    };
    rendered.filter_map(inverse).collect()
}

/// The verdict on a call.
enum Checking {
    Judged(Box<Judged>),
    /// The tool and the recorded verdict of a call that cannot be checked again, because its arguments are redacted.
    Kept(String, String),
}

/// Checks one line. Returns the id of the call as JSON text and the verdict, or the reason why the line cannot be used; `None` for a list of
/// tools.
fn one(
    shelf: &Shelf,
    inverses: &Inverses,
    line: &str,
    policy: RepairPolicy,
) -> Result<Option<(String, Checking)>, String> {
    let Some(call) = calls::read(line)? else { return Ok(None) };
    if let Some(verdict) = call.kept {
        return Ok(Some((call.id, Checking::Kept(call.tool.unwrap_or_default(), verdict))));
    }
    let judged = match shelf.find(call.tool_ref.as_deref(), call.tool.as_deref()) {
        Found::Unusable(reason) => return Err(reason),
        Found::Unknown(failure) => Judged::unknown(failure),
        Found::Tool(shelved, respelt) => {
            let unloaded = |reason| format!("{} (line {}) cannot be used: {reason}", shelved.name, shelved.line);
            let tool = shelved.tool.as_ref().map_err(unloaded)?;
            match inverses.get(&std::ptr::from_ref(shelved).addr()) {
                Some(inverse) => judge_rewritten(&**tool, &shelved.name, &call.arguments, policy, respelt, inverse),
                None => judge(&**tool, &shelved.name, &call.arguments, policy, respelt),
            }
        }
    };
    Ok(Some((call.id, Checking::Judged(Box::new(judged)))))
}

/// Returns a verdict as one line of JSON.
fn json_line(id: &str, judged: &Judged) -> String {
    let mut line = String::new();
    Writer::new(&mut line).object(|call| {
        call.json_text("id", id);
        call.string("tool", &judged.tool);
        call.string("verdict", judged.verdict.name());
        match &judged.arguments {
            Some(arguments) => call.json_text("arguments", arguments),
            None => call.null("arguments"),
        }
        call.array("repairs", &judged.repairs, super::style::repair);
        call.array("issues", &judged.issues, |writer, issue| {
            writer.object(|entry| {
                entry.string("path", &issue.path.to_string());
                entry.string("constraint", issue.constraint.keyword());
                entry.string("expected", &issue.expected.to_string());
                match &issue.got.json {
                    Some(json) => entry.json_text("got", json),
                    None if issue.got.json_type.is_none() => entry.null("got"),
                    None => entry.string("got", &issue.got.preview),
                }
            });
        });
        match &judged.failure {
            Some(failure) => call.json_text("failure", &failure.to_json()),
            None => call.null("failure"),
        }
    });
    line
}

/// Prints a verdict for people. Valid calls are not printed.
fn report(out: &mut dyn Write, id: &str, judged: &Judged) -> io::Result<()> {
    let tool = short_line(&judged.tool);
    let (style, verdict) = match judged.verdict {
        Verdict::Ok => return Ok(()),
        Verdict::Repaired => (WARN, "repaired"),
        Verdict::Unchecked => (WARN, "unchecked"),
        Verdict::Rejected => (BAD, "rejected"),
    };
    writeln!(out, "{style}{verdict:<8}{style:#}  {BOLD}{tool}{BOLD:#}  {DIM}{}{DIM:#}", short_line(id))?;
    for line in summary_lines(&judged.repairs) {
        writeln!(out, "  {}", short_line(&line))?;
    }
    for issue in &judged.issues {
        writeln!(out, "  {BAD}{}{BAD:#} {}", issue.constraint.code(), issue.message())?;
    }
    match &judged.failure {
        Some(failure) if judged.issues.is_empty() => writeln!(out, "  {BAD}{}{BAD:#}", failure.error_type()),
        _ => Ok(()),
    }
}

/// The counts of verdicts, error codes and repairs.
#[derive(Default)]
struct Counts {
    ok: usize,
    repaired: usize,
    unchecked: usize,
    rejected: usize,
    unusable: usize,
    /// The number of redacted calls, which keep their recorded verdict.
    kept: usize,
    /// The number of rejected calls, keyed by issue code, or by error type for calls without issues.
    codes: BTreeMap<String, usize>,
    unknown: BTreeMap<String, usize>,
    rules: BTreeMap<&'static str, usize>,
}

impl Counts {
    fn add(&mut self, judged: &Judged) {
        match judged.verdict {
            Verdict::Ok => self.ok += 1,
            Verdict::Repaired => self.repaired += 1,
            Verdict::Unchecked => self.unchecked += 1,
            Verdict::Rejected => self.rejected += 1,
        }
        if let Some(failure) = &judged.failure {
            // A call counts once for each code, even if several of its issues have the same code.
            let codes: std::collections::BTreeSet<_> =
                judged.issues.iter().map(|issue| issue.constraint.code()).collect();
            for code in codes {
                *self.codes.entry(code.to_owned()).or_default() += 1;
            }
            if judged.issues.is_empty() {
                *self.codes.entry(failure.error_type().to_owned()).or_default() += 1;
            }
            if failure.error_type() == "unknown_tool" {
                *self.unknown.entry(judged.tool.clone()).or_default() += 1;
            }
        }
        if judged.verdict == Verdict::Repaired {
            for repair in &judged.repairs {
                *self.rules.entry(repair.rule.name()).or_default() += 1;
            }
        }
    }

    /// Adds the counts of other calls.
    fn absorb(&mut self, other: Self) {
        let Self { ok, repaired, unchecked, rejected, unusable, kept, codes, unknown, rules } = other;
        for (sum, count) in [
            (&mut self.ok, ok),
            (&mut self.repaired, repaired),
            (&mut self.unchecked, unchecked),
            (&mut self.rejected, rejected),
            (&mut self.unusable, unusable),
            (&mut self.kept, kept),
        ] {
            *sum += count;
        }
        for (code, count) in codes {
            *self.codes.entry(code).or_default() += count;
        }
        for (tool, count) in unknown {
            *self.unknown.entry(tool).or_default() += count;
        }
        for (rule, count) in rules {
            *self.rules.entry(rule).or_default() += count;
        }
    }

    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        let calls = self.ok + self.repaired + self.unchecked + self.rejected;
        writeln!(out, "{BOLD}{calls:>6} calls{BOLD:#}")?;
        writeln!(out, "{GOOD}{:>6} ok{GOOD:#}", self.ok)?;
        writeln!(out, "{WARN}{:>6} repaired{WARN:#}", self.repaired)?;
        for (rule, count) in &self.rules {
            writeln!(out, "       {count:>6} {rule}")?;
        }
        if self.unchecked > 0 {
            writeln!(out, "{WARN}{:>6} unchecked{WARN:#}", self.unchecked)?;
        }
        writeln!(out, "{BAD}{:>6} rejected{BAD:#}", self.rejected)?;
        for (code, count) in &self.codes {
            writeln!(out, "       {count:>6} {code}")?;
        }
        if !self.unknown.is_empty() {
            let total: usize = self.unknown.values().sum();
            writeln!(out, "{total:>6} calls of unknown tools")?;
            for (tool, count) in &self.unknown {
                writeln!(out, "       {count:>6} {}", short_line(tool))?;
            }
        }
        if self.kept > 0 {
            writeln!(out, "{:>6} redacted calls were not checked again", self.kept)?;
        }
        if self.unusable > 0 {
            writeln!(out, "{:>6} lines could not be used", self.unusable)?;
        }
        Ok(())
    }
}
