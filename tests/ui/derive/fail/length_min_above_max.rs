use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// What it is.
    #[tool(length(min = 5, max = 3))] //~ `min` is above `max`
    value: String,
}

fn main() {}
