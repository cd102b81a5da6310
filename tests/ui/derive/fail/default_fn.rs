use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// What it is.
    #[tool(default_fn = two)]
    //~ default_fn ~ write `#[serde(default = "path")]`
    value: u8,
}

fn main() {}
