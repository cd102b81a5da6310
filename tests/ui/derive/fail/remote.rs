use serde::Deserialize;
use tool_runtime::ToolInput;

struct Bed {
    width: u8,
}

#[derive(Deserialize, ToolInput)]
#[serde(remote = "Bed")]
//~ "Bed" ~ derive `ToolInput` on a type of yours
struct BedDefinition {
    /// Width in centimetres.
    width: u8,
}

fn main() {}
