use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(length(max = 3), inner(range(max = -1)))]
    //~ range ~ write a `max` of at least 0
    value: Vec<u8>,
}

fn main() {}
