use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(multiple_of = 0)]
    //~ 0 ~ write one, such as `multiple_of = 5`
    value: u8,
}

fn main() {}
