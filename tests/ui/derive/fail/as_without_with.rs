use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// What it is.
    #[tool(as = u64)]
    //~ as ~ `as` is for a value that a function decodes: add `#[serde(with = "…")]`, or change the type of the field
    value: u8,
}

fn main() {}
