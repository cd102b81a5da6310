//! What was read otherwise than it was written: one [`Repair`] for each line of the ledger that a repaired call carries.
//!
//! In: what the model sent and what it was read as. Out: data for the host, and a sentence for whoever wants one. What always
//! holds: nothing is changed without such a line, and the line is short however long the text was.

use std::fmt;

use crate::json::write_string;
use crate::shape::Text;

/// One thing that was read otherwise than it was written.
///
/// ```
/// use tool_runtime::Repair;
///
/// let repair = Repair::tool_name("GetWeather", "get_weather".into());
/// assert_eq!(repair.to_string(), r#"Read tool "GetWeather" as get_weather."#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// Why it could be read so.
    pub rule: RepairRule,
    /// What was sent, at most 64 characters of it.
    pub before: Text,
    /// What it was read as.
    pub after: Text,
}

/// Why something could be read otherwise than it was written.
///
/// ```
/// use tool_runtime::{Repair, RepairRule};
///
/// assert_eq!(Repair::tool_name("GetWeather", "get_weather".into()).rule, RepairRule::ToolName);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RepairRule {
    /// The name of a tool, but for case and separators.
    ToolName,
}

impl Repair {
    /// The name of a tool, but for case and separators.
    ///
    /// ```
    /// # use tool_runtime::Repair;
    /// assert_eq!(Repair::tool_name("get-weather", "get_weather".into()).after, "get_weather");
    /// ```
    pub fn tool_name(before: &str, after: Text) -> Self {
        Self { rule: RepairRule::ToolName, before: before.chars().take(64).collect::<String>().into(), after }
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = String::new();
        write_string(&mut before, &self.before);
        match self.rule {
            RepairRule::ToolName => write!(f, "Read tool {before} as {}.", self.after),
        }
    }
}
