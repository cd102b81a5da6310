//! The statistics of the session as a table, printed at the end of a replay.

use std::fmt;

use anstyle::Style;
use tool_runtime::throttle::{Statistics, ToolStatistics};

const BOLD: Style = Style::new().bold();

/// The final statistics.
pub(crate) struct Closing<'s>(pub(crate) &'s Statistics);

impl fmt::Display for Closing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Statistics { total_calls_last_60s, unknown_names, tools, .. } = self.0;
        writeln!(
            f,
            "\n{BOLD}Statistics{BOLD:#}: {total_calls_last_60s} calls in the last minute, {unknown_names} of unknown names"
        )?;
        write!(f, "  {:<16} calls  failed  repaired  throttled  first try  tokens in, out", "")?;
        tools.iter().try_for_each(|tool| row(f, tool))?;
        for tool in tools {
            for hint in &tool.hints {
                write!(
                    f,
                    "\n  hints for {} of {}: {} given, {} followed",
                    hint.field, tool.name, hint.given, hint.followed
                )?;
            }
        }
        Ok(())
    }
}

fn row(f: &mut fmt::Formatter<'_>, tool: &ToolStatistics) -> fmt::Result {
    let ToolStatistics { name, calls, failures, repaired, throttled, .. } = tool;
    let first_try = tool.first_try_rate().map_or_else(|| "–".to_owned(), |rate| format!("{:.0} %", rate * 100.0));
    let (sent, told) = (tool.argument_tokens(), tool.result_tokens());
    write!(
        f,
        "\n  {name:<16} {calls:>5}  {failures:>6}  {repaired:>8}  {throttled:>9}  {first_try:>9}  {sent:>9}, {told}"
    )
}
