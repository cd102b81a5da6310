use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// What it is.
    #[tool(length(min = -1))] //~ a length is an integer from 0 on
    value: String,
}

fn main() {}
