use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(range(min = 5, exclusive_max = 5))]
    //~ 5 ~ write `range(min = 5, max = 5)`
    value: u8,
}

fn main() {}
