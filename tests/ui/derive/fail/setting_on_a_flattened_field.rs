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
    #[tool(sensitive)]
    //~ sensitive ~ put `sensitive` on the fields of its type
    bed: Bed,
}

fn main() {}
