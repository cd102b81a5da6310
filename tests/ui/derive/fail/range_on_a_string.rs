use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// Name.
    #[tool(range(max = 3))]
    name: Option<String>, //~ `range` does not apply to
}

fn main() {}
