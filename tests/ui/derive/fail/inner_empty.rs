use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(inner())]
    //~ inner ~ `inner()` is empty: write a rule for the items, or remove it
    value: Vec<u8>,
}

fn main() {}
