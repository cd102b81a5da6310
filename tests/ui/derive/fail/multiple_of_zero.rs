use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// What it is.
    #[tool(multiple_of = 0)] //~ `multiple_of` is a number above zero
    value: u8,
}

fn main() {}
