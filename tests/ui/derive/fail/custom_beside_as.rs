use std::time::Duration;

use serde::Deserialize;
use tool_runtime::ToolInput;

mod seconds {
    use serde::{Deserialize, Deserializer};
    use std::time::Duration;

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_secs)
    }
}

fn short(_: &Duration) -> Result<(), tool_runtime::CustomRuleError> {
    Ok(())
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Stay {
    /// How long.
    #[serde(with = "seconds")]
    #[tool(as = u64, custom = short)]
    //~ custom ~ `custom` cannot be combined with `as`: return the error from the function that decodes the value
    length: Duration,
}

fn main() {}
