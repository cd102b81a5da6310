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
enum Stay {
    #[serde(deserialize_with = "seconds::deserialize")]
    //~ "seconds::deserialize" ~ say which type the JSON looks like with `#[tool(as = Type)]`
    For(Duration),
    Forever,
}

fn main() {}
