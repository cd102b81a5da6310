use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// What it is.
    #[tool(length())]
    //~ length ~ write `length(min = …)`
    value: String,
}

fn main() {}
