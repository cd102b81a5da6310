use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(range(min = "a"))]
    //~ "a" ~ write a number: `14`, `-1`, `0.5`
    value: u8,
}

fn main() {}
