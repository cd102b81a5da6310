use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// What it is.
    #[tool(inner(length(min = 2)), example = ["ab", "c"])]
    //~ "c" ~ write at least 2 characters
    value: Vec<String>,
}

fn main() {}
