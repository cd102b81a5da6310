use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(rename = "size")]
    //~ rename ~ serde decodes this type: write `#[serde(rename = "…")]` instead of `rename`
    value: u8,
}

fn main() {}
