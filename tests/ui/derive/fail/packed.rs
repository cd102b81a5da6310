use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[repr(packed)]
#[tool(ignore_unknown)]
struct Room {
    //~ Room ~ remove `packed`, or convert with `#[serde(from = "…")]`
    /// Beds.
    beds: u8,
}

fn main() {}
