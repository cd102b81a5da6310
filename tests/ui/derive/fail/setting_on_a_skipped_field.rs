use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    #[serde(skip)]
    #[tool(range(max = 3))] //~ serde skips this field
    beds: u8,
}

fn main() {}
