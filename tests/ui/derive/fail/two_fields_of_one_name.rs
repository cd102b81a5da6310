use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// Beds.
    beds: u8,
    /// Number of beds.
    #[serde(rename = "beds")] //~ "beds" already names another field
    count: u8,
}

fn main() {}
