use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(inner(default = 1))]
    //~ default ~ `default` has no meaning on the items of `inner(…)`: it belongs on a field or a parameter
    value: Vec<u8>,
}

fn main() {}
