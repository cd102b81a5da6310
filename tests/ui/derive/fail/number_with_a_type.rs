use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// What it is.
    #[tool(range(min = 5u8))] //~ a JSON number has no type: remove `u8`
    value: u8,
}

fn main() {}
