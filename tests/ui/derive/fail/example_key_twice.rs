use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// What it is.
    #[tool(example = {"a": 1, "a": 2})] //~ the key "a" was already given
    value: serde_json::Value,
}

fn main() {}
