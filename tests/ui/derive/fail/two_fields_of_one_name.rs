use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// Beds.
    beds: u8,
    /// Number of beds.
    #[serde(rename = "beds")]
    //~ "beds" ~ "beds" is already a name of another field: write another name here, in `rename` or `alias` of `#[serde(…)]`
    count: u8,
}

fn main() {}
