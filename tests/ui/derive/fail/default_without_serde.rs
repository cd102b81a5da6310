use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(default = 2)]
    //~ default ~ `default` only tells the model about this value, and serde has to supply it: add `#[serde(default = "path")]` with a function that returns it, or `#[serde(default)]` if it is the `Default` value of `u8`
    value: u8,
}

fn main() {}
