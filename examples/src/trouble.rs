//! Tools that fail in different ways, so that a replay shows every kind of answer.

use std::collections::BTreeMap;
use std::time::Duration;

use tool_runtime::{ToolError, plugin_container, tool};

/// Ask a service that is down.
#[tool]
pub fn ask_offline() -> Result<String, ToolError> {
    Err(ToolError::unavailable("the service is down for maintenance").retry_after(Duration::from_secs(60)))
}

/// Ask a service that is busy.
#[tool]
pub fn ask_busy() -> Result<String, ToolError> {
    Err(ToolError::rate_limited("the service takes one question a minute").retry_after(Duration::from_secs(45)))
}

/// Ask a service that is slow.
#[tool]
pub fn ask_slow() -> Result<String, ToolError> {
    Err(ToolError::timeout("the service did not answer within 10 s"))
}

/// Ask a program with a mistake in it.
#[tool]
pub fn ask_broken(
    /// Any number but 7.
    number: i64,
) -> i64 {
    1000 / (number - 7)
}

/// Ask for a table that JSON cannot hold.
#[tool]
pub fn ask_unspeakable() -> BTreeMap<(u8, u8), &'static str> {
    BTreeMap::from([((1, 2), "a key that is no string")])
}

/// A second container with a member called `list`.
pub struct Attic;

/// Things that nobody needs.
#[plugin_container]
impl Attic {
    /// List what lies in the attic.
    #[tool]
    fn list(&self) -> Vec<&'static str> {
        vec!["a broken barometer", "letters"]
    }
}
