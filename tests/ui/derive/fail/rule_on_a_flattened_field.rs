use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Bed {
    /// Width in centimetres.
    width: u8,
}

#[derive(Deserialize, ToolInput)]
struct Room {
    #[serde(flatten)]
    #[tool(length(max = 3))]
    //~ length ~ put `length` on its type
    bed: Bed,
}

fn main() {}
