use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(range())]
    //~ range ~ `range()` is empty: write `range(min = …)`, `range(max = …)` or both
    value: u8,
}

fn main() {}
