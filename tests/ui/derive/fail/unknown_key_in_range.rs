use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(range(exclusive_minimum = 3))]
    //~ exclusive_minimum ~ did you mean `exclusive_min`?
    value: u8,
}

fn main() {}
