//! The statistics of a session as a table.

use std::io::{self, Write};

use tool_runtime::throttle::Statistics;

pub(super) fn table(out: &mut dyn Write, statistics: &Statistics) -> io::Result<()> {
    if statistics.tools.is_empty() {
        return Ok(());
    }
    let width = statistics.tools.iter().map(|tool| tool.name.len()).max().unwrap_or(0).max(4);
    writeln!(out, "{:<width$}  calls  failed  rejected  repaired  paused  good at once", "tool")?;
    for tool in &statistics.tools {
        let at_once = tool.first_try_rate().map_or_else(String::new, |rate| format!("{:.0} %", rate * 100.0));
        let row = format!(
            "{:<width$}  {:>5}  {:>6}  {:>8}  {:>8}  {:>6}  {at_once:>12}",
            tool.name, tool.calls, tool.failures, tool.rejected, tool.repaired, tool.throttled
        );
        writeln!(out, "{}", row.trim_end())?;
    }
    Ok(())
}
