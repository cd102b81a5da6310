use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// What it is.
    #[tool(range(min = 5, exclusive_max = 5))] //~ the range is empty: no number lies between 5 and 5
    value: u8,
}

fn main() {}
