use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// Name.
    #[tool(inner(length(max = 3)))]
    name: String, //~ `inner` does not apply to
}

fn main() {}
