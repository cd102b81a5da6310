use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    beds: u8,
    //~ beds ~ write `/// …` above it, or `#[tool(undocumented)]`
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct House {
    /// All rooms.
    rooms: Vec<Room>,
}

fn main() {}
