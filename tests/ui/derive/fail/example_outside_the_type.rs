use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(example = 300)]
    //~ 300 ~ write at most 255
    value: u8,
}

fn main() {}
