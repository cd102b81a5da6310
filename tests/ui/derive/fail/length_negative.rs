use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(length(min = -1))]
    //~ -1 ~ a length is a number of characters, items or members: write an integer of at least 0, such as `1`
    value: String,
}

fn main() {}
