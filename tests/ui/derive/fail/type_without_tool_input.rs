use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize)]
struct Bed;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// The bed.
    bed: Bed,
    //~ Bed ~ add `#[derive(ToolInput)]` beside `#[derive(Deserialize)]` on `Bed`
}

fn main() {}
