use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// Name.
    #[tool(unique_items)]
    name: String, //~ `unique_items` does not apply to
}

fn main() {}
