//! `toolbox explain`: prints everything about one call.
//!
//! The output contains the verdict, each repair, each issue, and every form of the answer to the model, each under a heading.

use std::io::Write;

use crate::private::json::{self, Json};
use crate::private::render_failure;
use tool_runtime::Arguments;
use tool_runtime::tool::Tool;
use tool_runtime::tool_schema::feedback::{annotated_arguments, annotated_invalid_json};
use tool_runtime::tool_schema::repair::summary_lines;
use tool_runtime::toolbox::FeedbackForm;

use super::ending::{CheckError, Ending};
use super::input::{InputError, sent};
use super::judge::{Judged, Verdict, judge};
use super::options::ExplainOptions;
use super::schema::WIDTH;
use super::shelf::{Found, Shelf};
use super::style::{BAD, BOLD, GOOD, WARN, short_line};

pub(super) fn explain(shelf: &Shelf, options: &ExplainOptions, out: &mut dyn Write) -> Result<Ending, CheckError> {
    let arguments = sent(&options.arguments)?;
    let by_name = shelf.find(None, Some(&options.tool));
    let found = match shelf.find(Some(&options.tool), None) {
        found @ Found::Tool(..) => found,
        _ => by_name,
    };
    match found {
        Found::Unusable(reason) => return Err(InputError::Other(reason).into()),
        Found::Unknown(failure) => show(&Judged::unknown(failure), out)?,
        Found::Tool(shelved, respelt) => {
            let unloaded = |reason| InputError::Other(format!("{} cannot be used: {reason}", shelved.name));
            let tool = shelved.tool.as_ref().map_err(unloaded)?;
            let judged = judge(&**tool, &shelved.name, &arguments, options.policy.policy(), respelt);
            show(&judged, out)?;
            forms(&**tool, &judged, out)?;
        }
    }
    Ok(Ending::Done)
}

/// Prints the other forms of the answer to a call with invalid arguments.
fn forms(tool: &dyn Tool, judged: &Judged, out: &mut dyn Write) -> std::io::Result<()> {
    let (Some(failure), Some(read)) = (&judged.failure, &judged.read) else { return Ok(()) };
    let (shape, issues) = (tool.spec().input.shape(), failure.issues());
    let arguments = Arguments::from(read.as_str());
    let json = arguments.to_json();
    let in_form = |form| render_failure(form, failure, &shape, &arguments, json.as_ref().ok());
    if let Some(sentences) = in_form(FeedbackForm::Sentences) {
        heading(out, "Answer to the model, as sentences")?;
        writeln!(out, "{sentences}")?;
    }
    heading(out, "For you: the arguments, with a remark on each issue")?;
    match &json {
        Ok(json) => writeln!(out, "{}", annotated_arguments(&shape, json, issues))?,
        Err(_) => writeln!(out, "{}", annotated_invalid_json(&shape, read, issues))?,
    }
    if let Some(markdown) = in_form(FeedbackForm::Markdown) {
        heading(out, "Answer to the model, as Markdown")?;
        writeln!(out, "{markdown}")?;
    }
    Ok(())
}

fn show(judged: &Judged, out: &mut dyn Write) -> std::io::Result<()> {
    let style = match judged.verdict {
        Verdict::Ok => GOOD,
        Verdict::Repaired | Verdict::Unchecked => WARN,
        Verdict::Rejected => BAD,
    };
    writeln!(out, "{BOLD}{}{BOLD:#}: {style}{}{style:#}", short_line(&judged.tool), judged.verdict.name())?;
    for line in summary_lines(&judged.repairs) {
        writeln!(out, "  {}", short_line(&line))?;
    }
    for issue in &judged.issues {
        writeln!(out, "  {BAD}{}{BAD:#} {}", issue.constraint.code(), issue.message())?;
    }
    if let Some(arguments) = &judged.arguments {
        heading(out, "Arguments for the tool")?;
        writeln!(out, "{}", laid_out(arguments))?;
    }
    let Some(failure) = &judged.failure else { return Ok(()) };
    heading(out, "Answer to the model, as JSON")?;
    writeln!(out, "{}", laid_out(&failure.to_json()))
}

fn heading(out: &mut dyn Write, words: &str) -> std::io::Result<()> {
    writeln!(out, "\n{BOLD}{words}{BOLD:#}")
}

fn laid_out(text: &str) -> String {
    Json::parse(text).map_or_else(|_| text.to_owned(), |json| json::laid_out(&json, WIDTH))
}
