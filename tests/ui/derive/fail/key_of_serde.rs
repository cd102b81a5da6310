use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// What it is.
    #[tool(rename = "size")]
    //~ rename ~ `rename` is for serde to say: write `#[serde(rename = "…")]`
    value: u8,
}

fn main() {}
