//! The overview of a report: the tools, the verdicts and pauses over time, and the most frequent issues and repairs.

use maud::{Markup, html};

use super::format_values::{bytes, counted, duration, median, short_line, utc};
use crate::call_counts::{CallReport, IssueOrRepairCount, ToolCounts};
use crate::line::CallVerdict;

/// The number of bars of the time line.
const BARS: usize = 60;
/// The width of the time line, in its own units.
const WIDTH: u64 = 720;
/// The height of the bars, and of the row of a tool with pauses.
const HEIGHT: usize = 120;
const ROW: usize = 18;
/// The number of tools whose pauses are shown, and of rows of the other tables.
const MOST_PAUSED: usize = 12;
const MOST_ROWS: usize = 50;

pub(super) fn overview(report: &CallReport) -> Markup {
    let rejected: usize = report.tools().values().map(|tool| tool.rejected).sum();
    let corrected: usize = report.tools().values().map(|tool| tool.corrected).sum();
    let tokens = report.tokens();
    html! {
        p {
            (counted(report.calls(), "call")) " of " (counted(report.tools().len(), "tool"))
            @if report.first.is_some() { " in " (duration(report.time())) }
            @if report.prompts > 0 { ", " (counted(report.prompts, "prompt")) }
            @if tokens.input + tokens.output > 0 { ", " (tokens.input) " tokens read and " (tokens.output) " written by the model" }
            "."
        }
        @if rejected > 0 {
            p { (counted(rejected, "call")) " got a hint; the next call of the tool followed " (corrected) " of them." }
        }
        @if report.unusable_lines() > 0 { p { (counted(report.unusable_lines(), "line")) " of the recording could not be used." } }
        h2 { "Tools" }
        (tools(report))
        @if report.first.is_some() { h2 { "Verdicts by time" } (time_line(report)) }
        (top("Issues of rejected calls", "Code", &report.issues(), true))
        (top("Repairs", "Rule", &report.repairs(), false))
    }
}

fn tools(report: &CallReport) -> Markup {
    let has_tokens = report.tools().values().any(|tool| tool.output_tokens > 0.0);
    let mut heads = vec![
        "Tool",
        "Calls",
        "First try",
        "Repaired",
        "Rejected",
        "Corrected",
        "Throttled",
        "Denied",
        "Failed",
        "Median",
        "Sent",
        "Answered",
    ];
    if has_tokens {
        heads.push("Tokens");
    }
    heads.push("Verdicts");
    let row = |(name, tool): (&String, &ToolCounts)| {
        let mut row = vec![
            html! { (short_line(name)) },
            html! { (tool.calls) },
            html! { (tool.first_try_percent()) " %" },
            html! { (tool.repaired) },
            html! { (tool.rejected) },
            html! { @if tool.rejected == 0 { "–" } @else { (tool.corrected) " of " (tool.rejected) } },
            html! { (tool.throttled) },
            html! { (tool.denied) },
            html! { (tool.failed) },
            html! { (median(tool.median_ms())) },
            html! { (bytes(tool.bytes.call)) },
            html! { (bytes(tool.bytes.answer)) },
        ];
        if has_tokens {
            row.push(html! { (format!("{:.0}", tool.output_tokens)) });
        }
        row.push(bar(tool));
        row
    };
    table("Tools", 1, &heads, &report.tools().iter().map(row).collect::<Vec<_>>())
}

/// Returns the shares of the verdicts on the calls of a tool.
fn bar(tool: &ToolCounts) -> Markup {
    let counts = tool.verdicts();
    let present: Vec<_> = CallVerdict::ALL.iter().zip(counts).filter(|(_, count)| *count > 0).collect();
    let label: Vec<String> = present.iter().map(|(verdict, count)| format!("{count} {}", verdict.name())).collect();
    let place = |calls: usize| calls * 160 / tool.calls.max(1);
    let before = |index: usize| place(present[..index].iter().map(|(_, count)| count).sum());
    html! {
        svg width="160" height="12" viewBox="0 0 160 12" role="img" aria-label=(label.join(", ")) {
            @for (index, (verdict, count)) in present.iter().enumerate() {
                rect.(verdict.name()) x=(before(index)) y="0" width=(place(*count).max(1)) height="12" {}
            }
        }
    }
}

/// Returns the number of calls with each verdict over the time of the recording, and the pauses of the tools below.
fn time_line(report: &CallReport) -> Markup {
    let first = report.first.unwrap_or_default();
    let length = report.last.saturating_sub(first).max(1);
    let place = |at: u64, width: u64| at.saturating_sub(first).min(length).saturating_mul(width) / length;
    let mut bars = [[0_usize; CallVerdict::ALL.len()]; BARS];
    for call in report.kept.iter().filter(|line| line.tool.is_some()) {
        let bar = place(call.at_ms.unwrap_or(first), BARS as u64 - 1);
        let verdict = CallVerdict::ALL.iter().position(|verdict| *verdict == call.call_verdict()).unwrap_or_default();
        bars[usize::try_from(bar).unwrap_or_default().min(BARS - 1)][verdict] += 1;
    }
    let most = bars.iter().map(|bar| bar.iter().sum::<usize>()).max().unwrap_or_default().max(1);
    let mut paused: Vec<&str> = report.pauses().iter().map(|pause| pause.tool.as_str()).collect();
    paused.sort_unstable();
    paused.dedup();
    let hidden = paused.len().saturating_sub(MOST_PAUSED);
    paused.truncate(MOST_PAUSED);
    let bottom = HEIGHT + 20 + paused.len() * ROW;
    let label = format!(
        "Up to {} in each of {BARS} equal parts of {}; {}",
        counted(most, "call"),
        duration(report.time()),
        counted(report.pauses().len(), "pause")
    );
    html! {
        svg width=(WIDTH) height=(bottom) viewBox=(format!("0 0 {WIDTH} {bottom}")) role="img" aria-label=(label) {
            @for (index, bar) in bars.iter().enumerate() {
                @for (verdict, name) in CallVerdict::ALL.iter().enumerate() {
                    @let below: usize = bar[..verdict].iter().sum();
                    @let height = bar[verdict] * HEIGHT / most;
                    @if bar[verdict] > 0 {
                        rect.(name.name()) x=(index * 12) y=(HEIGHT.saturating_sub((below + bar[verdict]) * HEIGHT / most)) width="10" height=(height.max(1)) {}
                    }
                }
            }
            @for (row, tool) in paused.iter().enumerate() {
                @let top = HEIGHT + 4 + row * ROW;
                @for pause in report.pauses().iter().filter(|pause| pause.tool == *tool) {
                    @let (from, until) = (place(pause.from_ms, WIDTH), place(pause.until_ms, WIDTH));
                    rect.throttled x=(from) y=(top) width=((until - from).max(2)) height="4" {}
                }
                text x="0" y=(top + 15) { (short_line(tool)) " paused" }
            }
            text x="0" y=(bottom - 4) { (utc(first)) }
            text x=(WIDTH) y=(bottom - 4) text-anchor="end" { (utc(report.last)) }
        }
        p.soft {
            @for verdict in CallVerdict::ALL { span.(verdict.name()) { "■ " (verdict.name()) " " } }
            @if hidden > 0 { "The pauses of " (counted(hidden, "other tool")) " are not shown." }
        }
    }
}

/// Returns the most frequent issues or repairs.
pub(super) fn top(title: &str, kind: &str, counts: &[IssueOrRepairCount<'_>], has_followed: bool) -> Markup {
    let mut heads = vec![kind, "Tool", "Place", "Calls"];
    heads.extend(has_followed.then_some("Hint followed"));
    let row = |count: &IssueOrRepairCount<'_>| {
        let texts = [count.name, count.tool, count.path].map(|text| html! { (short_line(text)) });
        let mut row = Vec::from(texts);
        row.push(html! { (count.calls) });
        row.extend(has_followed.then(|| html! { (count.followed) " of " (count.calls) }));
        row
    };
    let rows: Vec<_> = counts.iter().take(MOST_ROWS).map(row).collect();
    html! { @if !rows.is_empty() {
        h2 { (title) }
        (table(title, 3, &heads, &rows))
        @if counts.len() > MOST_ROWS { p.soft { (counted(counts.len() - MOST_ROWS, "other kind")) " are left out." } }
    } }
}

/// Returns a table whose first columns are texts, and whose other columns are numbers. Wide tables scroll.
pub(super) fn table(label: &str, texts: usize, heads: &[&str], rows: &[Vec<Markup>]) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label=(label) { table {
            thead { tr { @for (column, head) in heads.iter().enumerate() { th.text[column < texts] scope="col" { (head) } } } }
            tbody { @for row in rows { tr { @for (column, cell) in row.iter().enumerate() { td.text[column < texts] { (cell) } } } } }
        } }
    }
}
