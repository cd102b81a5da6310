use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// Beds.
    #[tool(length(max = 3))]
    beds: u8, //~ `length` does not apply to `u8`
}

fn main() {}
