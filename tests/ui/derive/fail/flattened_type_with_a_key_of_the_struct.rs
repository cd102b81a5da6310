use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Bed {
    /// Width in centimetres.
    width: u8,
}

#[derive(Deserialize, ToolInput)]
struct Room {
    #[serde(flatten)]
    bed: Bed,
    //~ Bed ~ rename it in one of them
    /// Width in metres.
    width: u8,
}

fn main() {}
