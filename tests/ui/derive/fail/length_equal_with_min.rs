use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(length(equal = 3, min = 1))]
    //~ equal ~ `equal` takes the place of `min` and `max`: write `length(equal = 3)` alone
    value: String,
}

fn main() {}
