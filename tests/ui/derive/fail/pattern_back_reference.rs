use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(pattern = "(a)\\1")]
    //~ "(a)\\1" ~ back references cannot be matched in linear time: repeat the group
    value: String,
}

fn main() {}
