use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(length(min = 0))]
    //~ 0 ~ `min = 0` has no effect, because every length is at least 0: remove it
    value: String,
}

fn main() {}
