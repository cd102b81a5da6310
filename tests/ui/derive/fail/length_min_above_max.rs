use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(length(min = 5, max = 3))]
    //~ 5 ~ write `length(min = 3, max = 5)`
    value: String,
}

fn main() {}
