use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(multiple_of = 5, example = 7)]
    //~ 7 ~ 7 does not satisfy `multiple_of` of this field: write a multiple of 5
    value: u8,
}

fn main() {}
