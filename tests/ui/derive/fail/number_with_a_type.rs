use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(range(min = 5u8))]
    //~ 5u8 ~ write `5` instead of `5u8`
    value: u8,
}

fn main() {}
