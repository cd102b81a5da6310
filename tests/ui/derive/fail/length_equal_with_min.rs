use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// What it is.
    #[tool(length(equal = 3, min = 1))]
    //~ equal ~ write `length(equal = 3)` alone
    value: String,
}

fn main() {}
