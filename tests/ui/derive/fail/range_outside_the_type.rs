use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(range(min = 300))]
    //~ range ~ write a `min` of at most 255
    value: u8,
}

fn main() {}
