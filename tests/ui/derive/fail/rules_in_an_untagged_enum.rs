use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
enum Place {
    Room {
        //~ Room ~ give the enum a tag, or let the variants differ
        /// Number of the room.
        #[tool(range(min = 100))]
        number: u16,
    },
    Desk {
        /// Number of the desk.
        desk: u16,
    },
}

fn main() {}
