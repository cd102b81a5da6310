//! [`StatisticsSummary`], the short form of the statistics.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Statistics;
use super::serialize::MOST_CALLED;

/// The most important numbers of a session, for a log line or a health check.
///
/// In JSON, the members have the same names as the fields. Their values are a number, an object with a number for each tool, and an array
/// of `[name, count]` pairs.
///
/// ```
/// use tool_runtime::{Toolbox, tool};
///
/// /// Answers at once.
/// #[tool]
/// fn ping() {}
///
/// let session = Toolbox::builder().tool(PingTool).build()?.session();
/// pollster::block_on(session.call("call_1", "ping", "{}"));
/// pollster::block_on(session.call("call_2", "ping", r#"{"loud": true}"#));
/// assert_eq!(
///     serde_json::to_string(&session.statistics().to_summary())?,
///     r#"{"total_calls_last_60s":2,"tools_with_failures":{"ping":1},"most_called_tools":[["ping",2]]}"#,
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StatisticsSummary {
    /// The number of calls in the last sixty seconds, including throttled calls.
    pub total_calls_last_60s: u64,
    /// The number of failures of each tool that has failed, keyed by name.
    pub tools_with_failures: BTreeMap<String, u64>,
    /// The five most frequently called tools with their numbers of calls, most frequent first. Tools with equal numbers are in the order of
    /// registration.
    pub most_called_tools: Vec<(String, u64)>,
}

impl Statistics {
    /// Returns the short form of the statistics.
    pub fn to_summary(&self) -> StatisticsSummary {
        let failed = self.tools.iter().filter(|tool| tool.failures > 0);
        let most_called = self.most_called_tools(MOST_CALLED);
        StatisticsSummary {
            total_calls_last_60s: self.total_calls_last_60s,
            tools_with_failures: failed.map(|tool| (tool.name.clone(), tool.failures)).collect(),
            most_called_tools: most_called.into_iter().map(|(name, calls)| (name.to_owned(), calls)).collect(),
        }
    }
}
