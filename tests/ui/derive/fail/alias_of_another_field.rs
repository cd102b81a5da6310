use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// Beds.
    beds: u8,
    /// Guests.
    #[serde(alias = "beds")] //~ "beds" already names another field
    guests: u8,
}

fn main() {}
