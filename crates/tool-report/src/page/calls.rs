//! The calls of a report, with their conversation: prompts, texts of the model, batches and expansions.

use std::collections::{HashMap, HashSet};

use maud::{Markup, html};
use serde_json::Value;
use serde_json::value::RawValue;
use tool_runtime::tool_schema::issue::Path;

use super::format_values::{counted, short_line, utc};
use crate::call_counts::{CallReport, SHOWN, beginning};
use crate::line::{CallEndKind, CallVerdict, IssueLine, RecordedLine, RepairLine};

pub(super) fn calls(report: &CallReport) -> Markup {
    let has_messages = report.kept.len() > report.kept_calls;
    html! {
        h2 { @if has_messages { "Conversation" } @else { "Calls" } }
        @if report.kept_calls < report.calls() {
            p { "The first " (counted(report.kept_calls, "call")) " are shown; " (report.calls() - report.kept_calls) " others are left out." }
        }
        @if report.left_out > 0 { p { "Arguments, answers or issues of " (counted(report.left_out, "call")) " are too long and left out." } }
        (filters(report))
        @let sessions = by_session(&report.kept);
        @for (session, lines) in &sessions {
            @if sessions.len() > 1 && !session.is_empty() { h3.session { "Session " (short_line(session)) } }
            @for group in groups(lines) { (group_of(&group)) }
        }
    }
}

/// Returns the lines of each session with their numbers, in the order in which the sessions begin.
fn by_session(kept: &[RecordedLine]) -> Vec<(&str, Vec<(usize, &RecordedLine)>)> {
    let mut sessions: Vec<(&str, Vec<(usize, &RecordedLine)>)> = Vec::new();
    let mut places = HashMap::new();
    for line in kept {
        let session = line.session.as_deref().unwrap_or_default();
        let place = *places.entry(session).or_insert_with(|| {
            sessions.push((session, Vec::new()));
            sessions.len() - 1
        });
        sessions[place].1.push((0, line));
    }
    let mut calls = 0;
    for (_, lines) in &mut sessions {
        // A call has its line when it has ended, which is not the order in which the calls of a batch were sent.
        for calls in lines.chunk_by_mut(|(_, a), (_, b)| a.tool.is_some() && b.tool.is_some()) {
            calls.sort_by_key(|(_, line)| (line.at_ms, line.number));
        }
        for (number, line) in lines {
            calls += usize::from(line.tool.is_some());
            *number = calls;
        }
    }
    sessions
}

/// A message, or calls that follow one another.
enum Group<'l> {
    Message(&'l RecordedLine),
    Calls(Vec<(usize, &'l RecordedLine)>, bool),
}

/// Returns the messages and calls of a session. The calls of one answer of the model are one group.
fn groups<'l>(lines: &[(usize, &'l RecordedLine)]) -> Vec<Group<'l>> {
    let (mut groups, mut is_answer) = (Vec::new(), false);
    for (number, line) in lines {
        if line.tool.is_none() {
            is_answer = line.text.is_some();
            groups.push(Group::Message(line));
            continue;
        }
        match groups.last_mut() {
            Some(Group::Calls(calls, _)) => calls.push((*number, *line)),
            _ => groups.push(Group::Calls(vec![(*number, *line)], is_answer)),
        }
    }
    groups
}

fn group_of(group: &Group<'_>) -> Markup {
    match group {
        Group::Message(line) => message(line),
        Group::Calls(calls, true) if calls.len() > 1 => html! {
            div.batch role="group" aria-label={ "A batch of " (counted(calls.len(), "call")) } {
                p.soft { "A batch of " (counted(calls.len(), "call")) }
                @for (number, call) in calls { (one(*number, call)) }
            }
        },
        Group::Calls(calls, _) => html! { @for (number, call) in calls { (one(*number, call)) } },
    }
}

fn message(line: &RecordedLine) -> Markup {
    let (who, text) = match line {
        RecordedLine { prompt: Some(text), .. } => ("User", text),
        RecordedLine { rejected: Some(text), .. } => ("Answer rejected", text),
        _ => ("Model", line.text.as_ref().unwrap_or(const { &String::new() })),
    };
    let tokens = line.tokens.filter(|tokens| tokens.input + tokens.output > 0);
    html! { @if !text.is_empty() || tokens.is_some() {
        div.message.prompt[line.prompt.is_some()] {
            p.soft { b { (who) }
                @if let Some(at) = line.at_ms { " " (utc(at)) }
                @if let Some(tokens) = tokens { ", " (tokens.input) " tokens read, " (tokens.output) " written" }
            }
            @if !text.is_empty() { p.said { (beginning(text)) } }
        }
    } }
}

fn filters(report: &CallReport) -> Markup {
    let mut codes: Vec<&str> =
        report.kept.iter().flat_map(|call| &call.issues).map(|issue| issue.code.as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    let calls = report.kept.iter().filter(|line| line.tool.is_some());
    let mut results: Vec<&str> = calls.map(|call| call.result.map_or("none", CallEndKind::name)).collect();
    results.sort_unstable();
    results.dedup();
    let select = |name: &str, label: &str, values: Vec<&str>| {
        html! { label { (label) " " select name=(name) { option value="" { "all" } @for value in values { option value=(value) { (short_line(value)) } } } } }
    };
    html! {
        form {
            (select("tool", "Tool", report.tools().keys().map(String::as_str).collect()))
            (select("verdict", "CallVerdict", CallVerdict::ALL.map(CallVerdict::name).into()))
            (select("result", "Result", results))
            (select("code", "Issue", codes))
        }
        p.soft id="shown" role="status" { (counted(report.kept_calls, "call")) }
    }
}

fn one(number: usize, call: &RecordedLine) -> Markup {
    let codes: Vec<&str> = call.issues.iter().map(|issue| issue.code.as_str()).collect();
    let tool = call.tool.as_deref().unwrap_or_default();
    html! {
        details.call id={ "call-" (number) } data-tool=(tool) data-verdict=(call.call_verdict().name()) data-result=(call.result.map_or("none", CallEndKind::name)) data-code=(codes.join(" ")) {
            summary {
                span.soft { "#" (number) }
                @if let Some(at) = call.at_ms { span.soft { (utc(at)) } }
                span { (short_line(tool)) }
                span.(call.call_verdict().name()) { (call.call_verdict().name()) }
                @if let Some(container) = &call.expands { span { "expands " (short_line(container)) } }
                @if let Some(approval) = &call.approval { span.denied[approval != "accepted"] { (short_line(approval)) } }
                @if let Some(result) = call.result { span.failed[result.is_failure()] { (result.name()) } }
                @if let Some(ms) = call.ms { span.soft { (format!("{ms:.0} ms")) } }
            }
            @if call.redacted { p.soft { "Parts of this call are redacted." } }
            @if let Some(arguments) = &call.arguments { h3 { "Arguments" } (marked(arguments, &call.issues)) }
            @if !call.repairs.is_empty() { h3 { "Repairs" } ul { @for repair in &call.repairs { li { (difference(repair)) } } } }
            @if !call.issues.is_empty() { h3 { "Issues" } ul { @for issue in &call.issues { li {
                code.rejected { (short_line(&issue.code)) } " " (short_line(issue.path.as_deref().unwrap_or_default()))
            } } } }
            @if let Some(answer) = &call.answer { h3 { "The answer for the model" } pre { (beginning(answer)) } }
        }
    }
}

fn difference(repair: &RepairLine) -> Markup {
    html! {
        code { (short_line(&repair.rule)) } " " (short_line(repair.path.as_deref().unwrap_or_default()))
        @if let (Some(before), Some(after)) = (&repair.before, &repair.after) {
            ": " del { (short_line(before)) } " → " ins { (short_line(after)) }
        }
    }
}

/// Returns arguments with a line for each value; those with an issue are marked.
fn marked(arguments: &RawValue, issues: &[IssueLine]) -> Markup {
    // Arguments can be nested more deeply than the parser allows.
    let arguments = match serde_json::from_str::<Value>(arguments.get()) {
        // The text that the model sent.
        Ok(Value::String(text)) => return html! { pre { (beginning(&text)) } },
        Ok(arguments) => arguments,
        Err(_) => return html! { pre { (beginning(arguments.get())) } },
    };
    let (mut lines, mut found, mut bytes) = (Vec::new(), HashSet::new(), 0);
    let mut waiting = vec![(0, Path::root(), String::new(), &arguments)];
    while let Some((depth, path, key, value)) = waiting.pop() {
        if bytes > SHOWN {
            lines.push((false, "…".to_owned()));
            break;
        }
        let text = match value {
            Value::Object(members) => {
                let inner = members.iter().rev().map(|(key, value)| {
                    (depth + 1, path.clone().key(key.as_str()), format!("{}: ", quoted(key)), value)
                });
                waiting.extend(inner);
                if members.is_empty() { "{}".to_owned() } else { String::new() }
            }
            Value::Array(items) => {
                let inner = items
                    .iter()
                    .enumerate()
                    .rev()
                    .map(|(index, value)| (depth + 1, path.clone().index(index), "- ".to_owned(), value));
                waiting.extend(inner);
                if items.is_empty() { "[]".to_owned() } else { String::new() }
            }
            other => beginning(&other.to_string()),
        };
        let place = path.to_string();
        let codes: Vec<&str> = issues
            .iter()
            .filter(|issue| issue.path.as_deref() == Some(&*place))
            .map(|issue| issue.code.as_str())
            .collect();
        let is_marked = !codes.is_empty();
        if is_marked {
            found.insert(place);
        }
        if depth > 0 || !text.is_empty() || is_marked {
            let line = format!(
                "{}{key}{text}{}{}",
                "  ".repeat(usize::max(depth, 1) - 1),
                if is_marked { "   ← " } else { "" },
                codes.join(", ")
            );
            bytes += line.len();
            lines.push((is_marked, line));
        }
    }
    // A missing field has no line of its own.
    let absent = issues.iter().filter(|issue| issue.path.as_ref().is_some_and(|path| !found.contains(path)));
    html! { pre {
        @for (is_marked, line) in &lines { @if *is_marked { mark { (line) } } @else { (line) "\n" } }
        @for issue in absent { mark { (short_line(issue.path.as_deref().unwrap_or_default())) "   ← " (short_line(&issue.code)) } }
    } }
}

fn quoted(text: &str) -> String {
    beginning(&Value::from(text).to_string())
}
