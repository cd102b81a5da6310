use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(range(min = 1), range(max = 2))]
    //~ range ~ `range` was already given: remove one of the two
    value: u8,
}

fn main() {}
