use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// Name.
    #[tool(inner(length(max = 3)))]
    name: String,
    //~ String ~ `inner` applies to the items of arrays and sets and to the values of maps
}

fn main() {}
