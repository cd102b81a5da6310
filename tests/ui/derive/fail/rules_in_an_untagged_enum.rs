use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
#[tool(ignore_unknown)]
enum Place {
    Room {
        //~ Room ~ evaluation panicked: a value that breaks a rule of this variant could be decoded as a later variant: give the enum a tag, or let the variants differ in JSON type or in required keys (with `#[serde(deny_unknown_fields)]`)
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
