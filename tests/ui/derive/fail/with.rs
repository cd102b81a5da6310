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

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Stay {
    /// How long.
    #[serde(with = "seconds")]
    //~ "seconds" ~ a function decodes this value, so its schema is not known: name a type with the same JSON in `#[tool(as = Type)]`, for example `#[tool(as = String)]`
    length: Duration,
}

fn main() {}
