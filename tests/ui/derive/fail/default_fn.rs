use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(default_fn = two)]
    //~ default_fn ~ serde decodes this type: write `#[serde(default = "path")]` instead of `default_fn`
    value: u8,
}

fn main() {}
