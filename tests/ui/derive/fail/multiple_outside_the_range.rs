use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(range(min = 1, max = 5), multiple_of = 10)]
    //~ multiple_of ~ write a `max` of at least 10
    value: u8,
}

fn main() {}
