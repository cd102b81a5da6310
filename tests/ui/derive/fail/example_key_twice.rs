use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(example = {"a": 1, "a": 2})]
    //~ "a" ~ the key "a" was already given: remove one of the two
    value: serde_json::Value,
}

fn main() {}
