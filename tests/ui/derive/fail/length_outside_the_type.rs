use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(length(min = 5))]
    //~ length ~ evaluation panicked: no value of the type is that long: write a `min` of at most 3
    value: [u8; 3],
}

fn main() {}
