use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// What it is.
    #[tool(default = 2)]
    //~ default ~ add `#[serde(default = "path")]`
    value: u8,
}

fn main() {}
