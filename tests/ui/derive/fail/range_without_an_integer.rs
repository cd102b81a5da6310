use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(range(min = 1.2, max = 1.8))]
    //~ range ~ write `range(min = 1, max = 2)`
    value: Option<i32>,
}

fn main() {}
