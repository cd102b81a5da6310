use serde::Deserialize;
use tool_runtime::ToolInput;

struct Bed {
    width: u8,
}

#[derive(Deserialize, ToolInput)]
#[serde(remote = "Bed")]
//~ "Bed" ~ a `remote` definition decodes a type other than itself: derive `ToolInput` on a type of your own and add `#[serde(from = "…")]`
struct BedDefinition {
    /// Width in centimetres.
    width: u8,
}

fn main() {}
