use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// What it is.
    #[tool(example = 300)]
    //~ 300 ~ the number is above the maximum
    value: u8,
}

fn main() {}
