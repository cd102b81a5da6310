use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(range(min = 5, exclusive_min = 5))]
    //~ exclusive_min ~ `min` and `exclusive_min` set the same bound: write one of the two
    value: u8,
}

fn main() {}
