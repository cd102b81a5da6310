use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    #[tool(description = "a" + "b")] //~ write the description as a literal
    value: u8,
}

fn main() {}
