use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Bed {
    /// Width in centimetres.
    width: u8,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Desk {
    /// Width in centimetres.
    width: u8,
}

#[derive(Deserialize, ToolInput)]
struct Room {
    #[serde(flatten)]
    bed: Bed,
    #[serde(flatten)]
    desk: Desk,
    //~ Desk ~ rename it in one of them
}

fn main() {}
