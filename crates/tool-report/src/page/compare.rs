//! The differences between two recordings.

use maud::{Markup, html};

use super::format_values::{counted, median, short_line};
use super::overview::{table, top};
use crate::call_counts::{CallReport, ToolCounts, beginning};
use crate::compare::{ChangedCall, Comparison};

pub(super) fn differences(comparison: &Comparison) -> Markup {
    let (before, after) = (comparison.before(), comparison.after());
    html! {
        p {
            (counted(before.calls(), "call")) " before, " (after.calls()) " after. " (counted(comparison.matched_calls(), "call"))
            " with equal arguments, of which " (comparison.changed_count()) " ended in another way."
        }
        @for (name, report) in [("first", before), ("second", after)] {
            @if report.unusable_lines() > 0 { p { (counted(report.unusable_lines(), "line")) " of the " (name) " recording could not be used." } }
        }
        h2 { "Tools" }
        (tools(comparison))
        (top("New issues", "Code", &comparison.new_issues(), true))
        (top("Issues that are gone", "Code", &comparison.resolved_issues(), true))
        @if !comparison.changed_calls().is_empty() {
            h2 { "Equal calls that ended in another way" }
            @if comparison.changed_calls().len() < comparison.changed_count() {
                p { "The first " (comparison.changed_calls().len()) " are shown." }
            }
            (filters(comparison))
            @for (index, changed) in comparison.changed_calls().iter().enumerate() { (one(index + 1, changed)) }
        }
    }
}

fn tools(comparison: &Comparison) -> Markup {
    let counts = |report: &CallReport, tool: &str| report.tools().get(tool).cloned().unwrap_or_default();
    let row = |tool: &str| {
        let (before, after) = (counts(comparison.before(), tool), counts(comparison.after(), tool));
        let share = |of: fn(&ToolCounts) -> usize, is_good: bool| {
            change(
                before.percent_of_calls(of(&before)),
                after.percent_of_calls(of(&after)),
                before.calls > 0 && after.calls > 0,
                is_good,
            )
        };
        vec![
            html! { (short_line(tool)) },
            html! { (before.calls) " → " (after.calls) },
            change(before.first_try_percent(), after.first_try_percent(), before.calls > 0 && after.calls > 0, true),
            share(|tool| tool.repaired, false),
            share(|tool| tool.rejected, false),
            html! { (before.corrected) " of " (before.rejected) " → " (after.corrected) " of " (after.rejected) },
            share(|tool| tool.throttled, false),
            share(|tool| tool.failed, false),
            html! { (median(before.median_ms())) " → " (median(after.median_ms())) },
        ]
    };
    let heads = ["Tool", "Calls", "First try", "Repaired", "Rejected", "Corrected", "Throttled", "Failed", "Median"];
    table("Tools", 1, &heads, &comparison.tools().into_iter().map(row).collect::<Vec<_>>())
}

/// Returns two shares in percent. The difference is marked as an improvement or the opposite.
fn change(before: usize, after: usize, is_in_both: bool, is_good: bool) -> Markup {
    let class = if (after > before) == is_good { "ok" } else { "rejected" };
    let difference = after.cast_signed() - before.cast_signed();
    html! {
        (before) " % → " (after) " %"
        @if is_in_both && difference != 0 { " " span.(class) { "(" (format!("{difference:+}")) ")" } }
    }
}

fn filters(comparison: &Comparison) -> Markup {
    let values = |of: fn(&ChangedCall) -> &str| {
        let mut values: Vec<&str> = comparison.changed_calls().iter().map(of).collect();
        values.sort_unstable();
        values.dedup();
        values
    };
    html! {
        form {
            @for (name, label, values) in [("tool", "Tool", values(|call| &call.tool)), ("verdict", "After", values(|call| call.after))] {
                label { (label) " " select name=(name) { option value="" { "all" } @for value in values { option value=(value) { (short_line(value)) } } } } " "
            }
        }
        p.soft id="shown" role="status" { (counted(comparison.changed_calls().len(), "call")) }
    }
}

fn one(number: usize, changed: &ChangedCall) -> Markup {
    html! {
        details.call id={ "call-" (number) } data-tool=(changed.tool) data-verdict=(changed.after) data-code="" {
            summary {
                span.soft { "#" (number) }
                span { (short_line(&changed.tool)) }
                span { span.(changed.before) { (changed.before) } "→ " span.(changed.after) { (changed.after) } }
            }
            h3 { "Arguments" }
            pre { (beginning(&changed.arguments)) }
        }
    }
}
