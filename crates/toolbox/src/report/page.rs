//! The page of a report: one HTML file with everything in it.
//!
//! Invariants: every text of the recording is escaped. The page loads nothing, and runs no script and no style but its own, whose hashes are in
//! its Content Security Policy. Its size is bounded.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;
use serde_json::value::RawValue;
use tool_runtime::tool_schema::issue::Path;

use super::counts::{Issue, Line, Report, Row, SHOWN, Verdict, beginning, duration, sorted};
use crate::style::shortened;

/// The number of bars of the time line.
const BARS: usize = 60;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// The hashes of style and script, which a test compares.
const POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-vORo+AMv0dPKjwRhSIPvynCl63ta6rPyHxQac6Af774='; script-src 'sha256-Em4KAy3bvL9VDcOiVrcCQUmWisTgV71QWrJ0nS3rDDQ='";

const VERDICTS: [Verdict; 5] =
    [Verdict::Ok, Verdict::Repaired, Verdict::Refused, Verdict::Throttled, Verdict::Unchecked];

/// Returns the page of a report.
pub(super) fn page(report: &Report, source: &str) -> String {
    let calls: usize = report.rows.values().map(|row| row.calls).sum();
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Calls of " (shortened(source)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { "Calls of " (shortened(source)) }
                    p { (calls) " calls of " (report.rows.len()) " tools in " (duration(report.time())) "." }
                    @if report.unusable > 0 { p { (report.unusable) " lines of the recording could not be used." } }
                    h2 { "Tools" }
                    div.wide tabindex="0" role="region" aria-label="Tools" { (tools(report)) }
                    h2 { "Verdicts by time" }
                    (time_line(report))
                    (top("Issues of refused calls", "Code", &report.issues))
                    (top("Repairs", "Rule", &report.repairs))
                    h2 { "Calls" }
                    @if report.seen.len() < calls {
                        p { "The first " (report.seen.len()) " calls are shown; " (calls - report.seen.len()) " others are left out." }
                    }
                    (filters(report))
                    @for (index, call) in report.seen.iter().enumerate() { (one(index, call)) }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    markup.into_string()
}

fn tools(report: &Report) -> Markup {
    html! {
        table {
            thead { tr {
                th scope="col" { "Tool" }
                @for title in ["Calls", "First try", "Repaired", "Refused", "Corrected", "Throttled", "Declined", "Failed", "Median"] {
                    th scope="col" { (title) }
                }
                th scope="col" { "Verdicts" }
            } }
            tbody { @for (name, row) in &report.rows { tr {
                td { (shortened(name)) }
                td { (row.calls) }
                td { (row.first_try()) " %" }
                td { (row.repaired) }
                td { (row.refused) }
                td { (row.corrected()) }
                td { (row.throttled) }
                td { (row.declined) }
                td { (row.failed) }
                td { (row.median_text()) }
                td { (bar(row)) }
            } } }
        }
    }
}

/// Returns the shares of the verdicts on the calls of a tool.
fn bar(row: &Row) -> Markup {
    let counts = row.verdicts();
    let present: Vec<_> = VERDICTS.iter().zip(counts).filter(|(_, count)| *count > 0).collect();
    let label: Vec<String> = present.iter().map(|(verdict, count)| format!("{count} {}", verdict.name())).collect();
    let place = |calls: usize| calls * 160 / row.calls.max(1);
    let before = |index: usize| place(present[..index].iter().map(|(_, count)| count).sum());
    html! {
        svg width="160" height="12" viewBox="0 0 160 12" role="img" aria-label=(label.join(", ")) {
            @for (index, (verdict, count)) in present.iter().enumerate() {
                rect.(verdict.name()) x=(before(index)) y="0" width=(place(*count).max(1)) height="12" {}
            }
        }
    }
}

/// Returns the number of calls with each verdict over the time of the recording.
fn time_line(report: &Report) -> Markup {
    let first = report.first.unwrap_or_default();
    let length = report.last.saturating_sub(first).max(1);
    let mut bars = [[0_usize; VERDICTS.len()]; BARS];
    for call in &report.seen {
        let place = call.at_ms.unwrap_or(first).saturating_sub(first).saturating_mul(BARS as u64 - 1) / length;
        let verdict = VERDICTS.iter().position(|verdict| *verdict == call.verdict).unwrap_or_default();
        bars[usize::try_from(place).unwrap_or_default().min(BARS - 1)][verdict] += 1;
    }
    let most = bars.iter().map(|bar| bar.iter().sum::<usize>()).max().unwrap_or_default().max(1);
    let label = format!("Up to {most} calls in each of {BARS} equal parts of {}", duration(report.time()));
    html! {
        svg width="720" height="140" viewBox="0 0 720 140" role="img" aria-label=(label) {
            @for (index, bar) in bars.iter().enumerate() {
                @for (verdict, name) in VERDICTS.iter().enumerate() {
                    @let below: usize = bar[..verdict].iter().sum();
                    @let height = bar[verdict] * 120 / most;
                    @if bar[verdict] > 0 {
                        rect.(name.name()) x=(index * 12) y=(120_usize.saturating_sub((below + bar[verdict]) * 120 / most)) width="10" height=(height.max(1)) {}
                    }
                }
            }
            text x="0" y="136" { (utc(first)) }
            text x="720" y="136" text-anchor="end" { (utc(report.last)) }
        }
        p.soft { @for verdict in VERDICTS { span.(verdict.name()) { "■ " (verdict.name()) " " } } }
    }
}

fn top(title: &str, kind: &str, counts: &std::collections::HashMap<[String; 3], usize>) -> Markup {
    let sorted = sorted(counts);
    html! { @if !sorted.is_empty() {
        h2 { (title) }
        div.wide tabindex="0" role="region" aria-label=(title) { table {
            thead { tr { th scope="col" { (kind) } th scope="col" { "Tool" } th scope="col" { "Place" } th scope="col" { "Calls" } } }
            tbody { @for ([name, tool, path], count) in sorted.into_iter().take(50) { tr {
                td { (shortened(name)) } td.text { (shortened(tool)) } td.text { (shortened(path)) } td { (count) }
            } } }
        } }
    } }
}

fn filters(report: &Report) -> Markup {
    let mut codes: Vec<&str> =
        report.seen.iter().flat_map(|call| &call.issues).map(|issue| issue.code.as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    let select = |name: &str, label: &str, values: Vec<&str>| {
        html! { label { (label) " " select name=(name) { option value="" { "all" } @for value in values { option value=(value) { (shortened(value)) } } } } }
    };
    html! {
        form {
            (select("tool", "Tool", report.rows.keys().map(String::as_str).collect()))
            (select("verdict", "Verdict", VERDICTS.map(Verdict::name).into()))
            (select("code", "Issue", codes))
        }
        p.soft id="shown" role="status" { (report.seen.len()) " calls" }
    }
}

fn one(index: usize, call: &Line) -> Markup {
    let codes: Vec<&str> = call.issues.iter().map(|issue| issue.code.as_str()).collect();
    let tool = call.tool.as_deref().unwrap_or_default();
    html! {
        details.call id={ "call-" (index + 1) } data-tool=(tool) data-verdict=(call.verdict.name()) data-code=(codes.join(" ")) {
            summary {
                span.soft { "#" (index + 1) }
                @if let Some(at) = call.at_ms { span.soft { (utc(at)) } }
                span { (shortened(tool)) }
                span.(call.verdict.name()) { (call.verdict.name()) }
                @if let Some(approval) = &call.approval { span { (shortened(approval)) } }
                @if let Some(result) = &call.result { span { (result.name()) } }
                @if let Some(ms) = call.ms { span.soft { (format!("{ms:.0} ms")) } }
            }
            @if call.redacted { p.soft { "Parts of this call are redacted." } }
            @if let Some(arguments) = &call.arguments { h3 { "Arguments" } (marked(arguments, &call.issues)) }
            @if !call.repairs.is_empty() { h3 { "Repairs" } ul { @for repair in &call.repairs { li {
                code { (shortened(&repair.rule)) } " " (shortened(&repair.path))
                @if let (Some(before), Some(after)) = (&repair.before, &repair.after) {
                    ": " del { (shortened(before)) } " → " ins { (shortened(after)) }
                }
            } } } }
            @if !call.issues.is_empty() { h3 { "Issues" } ul { @for issue in &call.issues { li {
                code.refused { (shortened(&issue.code)) } " " (shortened(&issue.path))
            } } } }
            @if let Some(answer) = &call.answer { h3 { "The answer for the model" } pre { (beginning(answer)) } }
        }
    }
}

/// Returns arguments with a line for each value; those with an issue are marked.
fn marked(arguments: &RawValue, issues: &[Issue]) -> Markup {
    // Arguments can be nested more deeply than the parser allows.
    let Ok(arguments) = serde_json::from_str::<Value>(arguments.get()) else {
        return html! { pre { (beginning(arguments.get())) } };
    };
    let (mut lines, mut bytes) = (Vec::new(), 0);
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
        let codes: Vec<&str> =
            issues.iter().filter(|issue| issue.path == place).map(|issue| issue.code.as_str()).collect();
        let is_marked = !codes.is_empty();
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
    html! { pre { @for (is_marked, line) in &lines { @if *is_marked { mark { (line) } } @else { (line) "\n" } } } }
}

fn quoted(text: &str) -> String {
    beginning(&Value::from(text).to_string())
}

/// Returns a time in milliseconds since 1970 as text, in UTC.
fn utc(ms: u64) -> String {
    let (days, seconds) = (ms / 86_400_000, ms / 1_000 % 86_400);
    // The days of a year that begins in March, so that the leap day is its last one ("chrono-Compatible Low-Level Date Algorithms").
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, year) = if month < 10 { (month + 3, year) } else { (month - 9, year + 1) };
    let year = year + era * 400;
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::prelude::BASE64_STANDARD;
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn the_policy_has_the_hashes_of_style_and_script() {
        for (kind, text) in [("style", STYLE), ("script", SCRIPT)] {
            let hash = BASE64_STANDARD.encode(Sha256::digest(text));
            assert!(POLICY.contains(&format!("{kind}-src 'sha256-{hash}'")), "{kind}: {hash}");
        }
    }

    #[test]
    fn times_are_written_in_utc() {
        for (ms, expected) in [
            (0, "1970-01-01 00:00:00"),
            (951_782_399_999, "2000-02-28 23:59:59"),
            (951_782_400_000, "2000-02-29 00:00:00"),
            (1_700_000_000_000, "2023-11-14 22:13:20"),
        ] {
            assert_eq!(utc(ms), expected);
        }
    }
}
