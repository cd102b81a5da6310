use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// Beds.
    beds: u8,
    /// Number of beds.
    #[serde(rename = "beds")]
    //~ "beds" ~ give this one a name of its own, with `#[serde(rename = "…")]`
    count: u8,
}

fn main() {}
