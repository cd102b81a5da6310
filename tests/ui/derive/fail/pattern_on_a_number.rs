use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// Beds.
    #[tool(pattern = "^[0-9]$")]
    beds: u8,
    //~ u8 ~ `pattern` applies to strings
}

fn main() {}
