use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(length = 3)]
    //~ length ~ write `length(…)`
    value: String,
}

fn main() {}
