use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// Beds.
    #[serde(renam = "size")]
    //~ renam ~ unknown serde field attribute `renam`
    beds: u8,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct House {
    /// A room.
    room: Room,
}

fn main() {}
