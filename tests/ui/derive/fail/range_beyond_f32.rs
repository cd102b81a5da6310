use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(range(min = 1e39))]
    //~ range ~ or take `f64`
    value: f32,
}

fn main() {}
