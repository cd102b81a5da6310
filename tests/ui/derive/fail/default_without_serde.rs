use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// What it is.
    #[tool(default = 2)]
    //~ default ~ `default` only tells the model about the default, and serde has to apply it: add `#[serde(default = "path")]` with a function that gives this value, or `#[serde(default)]` if it is the `Default` of `u8`
    value: u8,
}

fn main() {}
