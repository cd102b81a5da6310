use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(length())]
    //~ length ~ `length()` is empty: write `length(min = …)`, `length(max = …)` or both
    value: String,
}

fn main() {}
