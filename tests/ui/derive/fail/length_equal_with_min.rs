use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// What it is.
    #[tool(length(equal = 3, min = 1))] //~ `equal` is `min` and `max` in one: remove the others
    value: String,
}

fn main() {}
