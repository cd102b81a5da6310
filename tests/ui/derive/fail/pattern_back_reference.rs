use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// What it is.
    #[tool(pattern = "(a)\\1")]
    //~ "(a)\\1" ~ write the group out again
    value: String,
}

fn main() {}
