use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(range(max = 4), example = 5)]
    //~ 5 ~ 5 does not satisfy `range` of this field: write a number of at most 4
    value: u8,
}

fn main() {}
