use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// Name.
    #[tool(unique_items)]
    name: String,
    //~ String ~ `unique_items` applies to arrays
}

fn main() {}
