use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// What it is.
    #[tool(length(min = -1))]
    //~ -1 ~ write an integer from 0 on, such as `1`
    value: String,
}

fn main() {}
