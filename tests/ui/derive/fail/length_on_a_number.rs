use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// Beds.
    #[tool(length(max = 3))]
    beds: u8,
    //~ u8 ~ `length` applies to strings (counted in characters), to arrays and sets
}

fn main() {}
