//! The counts of a proxy: [`ProxyReport`].

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use crate::private::bounded;

/// The largest number of tools that are counted separately.
const MOST_TOOLS: usize = 10_000;
/// The row of the calls that no other row counts.
const OTHERS: &str = "(other names)";

/// The counts of a proxy since its start. It is displayed as a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProxyReport {
    /// The counts of each tool that was called, by the name that the server gave it. Calls of unknown names are counted as one tool,
    /// `(other names)`.
    pub tools: BTreeMap<String, ToolReport>,
    /// The number of dropped answers: their requests had not been sent, or were already answered.
    pub stray_answers: u64,
    /// The number of lines that were dropped because they were not messages or were too long. If such a line was a request, its sender got
    /// an error; if it was an answer, its receiver did.
    pub bad_lines: u64,
    /// The number of times that the server was restarted.
    pub restarts: u64,
}

/// The counts of one tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolReport {
    /// The number of calls of the client.
    pub calls: u64,
    /// The number of calls that reached the server after a repair.
    pub repaired: u64,
    /// The number of calls that the proxy rejected because of their name or their arguments.
    pub rejected: u64,
    /// The number of calls that the throttle stopped.
    pub throttled: u64,
    /// The number of calls that reached the server and failed there.
    pub failed: u64,
    /// The number of calls that reached the server without a check, because the server's definition of the tool was missing or not usable, or
    /// because the check would have taken too many steps.
    pub unchecked: u64,
    /// The number of bytes by which the texts of results were cut.
    pub bytes_cut: u64,
    /// The total time that the server needed for its answers.
    pub time: Duration,
}

impl ProxyReport {
    /// Changes the counts of a tool of the server. Any other name is `None`.
    pub(super) fn count(&mut self, tool: Option<&str>, count: impl FnOnce(&mut ToolReport)) {
        let name = tool.map_or(OTHERS.into(), bounded::name);
        if let Some(report) = self.tools.get_mut(&*name) {
            return count(report);
        }
        let is_counted = self.tools.len() < MOST_TOOLS;
        count(self.tools.entry(if is_counted { name.into_owned() } else { OTHERS.to_owned() }).or_default());
    }
}

impl fmt::Display for ProxyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let longest = self.tools.keys().map(|name| name.chars().count()).max();
        let width = longest.unwrap_or_default().max("tool".len());
        let heads = ["calls", "repaired", "rejected", "throttled", "failed", "unchecked", "bytes cut"];
        write!(f, "{:<width$}", "tool")?;
        for head in heads {
            write!(f, "  {head}")?;
        }
        writeln!(f, "        time")?;
        for (name, tool) in &self.tools {
            let ToolReport { calls, repaired, rejected, throttled, failed, unchecked, bytes_cut, time } = tool;
            write!(f, "{name:<width$}")?;
            for (count, head) in
                [calls, repaired, rejected, throttled, failed, unchecked, bytes_cut].into_iter().zip(heads)
            {
                write!(f, "  {count:>width$}", width = head.len())?;
            }
            writeln!(f, "  {:>8.3} s", time.as_secs_f64())?;
        }
        if self.restarts > 0 {
            writeln!(f, "The server was restarted {} times.", self.restarts)?;
        }
        writeln!(f, "{} stray answers and {} bad lines were dropped.", self.stray_answers, self.bad_lines)
    }
}
