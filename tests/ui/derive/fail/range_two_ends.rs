use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// What it is.
    #[tool(range(min = 5, exclusive_min = 5))]
    //~ exclusive_min ~ write `min` or `exclusive_min`
    value: u8,
}

fn main() {}
