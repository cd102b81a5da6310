use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// Beds.
    beds: u8,
    /// Guests.
    #[serde(alias = "beds")]
    //~ "beds" ~ give this one a name of its own, with `#[serde(rename = "…")]`
    guests: u8,
}

fn main() {}
