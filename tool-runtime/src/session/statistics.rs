//! The statistics of a session, and the methods that reset the throttle.
//!
//! In: nothing, or the name of a tool. Out: the statistics of the throttle as data. Invariant: reading the statistics
//! changes nothing.

use super::Session;
use crate::throttle::{Statistics, Throttle};

impl Session {
    /// Returns the counted outcomes of the session so far, including calls of containers; empty with
    /// [`no_throttle`](crate::toolbox::ToolboxBuilder::no_throttle).
    ///
    /// ```
    /// # use tool_runtime::{Toolbox, tool};
    /// /// The hour of the day.
    /// #[tool]
    /// fn hour() -> u8 {
    ///     12
    /// }
    /// let session = Toolbox::builder().tool(HourTool).build()?.session();
    /// pollster::block_on(session.call("call_1", "hour", "{}"));
    ///
    /// let statistics = session.statistics();
    /// assert_eq!(statistics.most_called_tools(1), [("hour", 1)]);
    /// assert_eq!(statistics.tools[0].first_try_rate(), Some(1.0));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn statistics(&self) -> Statistics {
        self.current().throttle.as_ref().map_or_else(Statistics::default, Throttle::statistics)
    }

    /// Ends every pause and resets every count, including the statistics.
    pub fn reset_throttle(&self) {
        if let Some(throttle) = &self.current().throttle {
            throttle.reset();
        }
    }

    /// Ends the pauses of one tool or container, given by its advertised name, and resets its counts and statistics.
    /// Returns `true` if a tool or container has the name.
    pub fn reset_throttle_of(&self, tool: &str) -> bool {
        let current = self.current();
        let Some(item) = current.catalog().find(tool) else { return false };
        if let Some(throttle) = &current.throttle {
            throttle.reset_tool(current.subject(item));
        }
        true
    }
}
