use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Key {
    /// What was pressed.
    #[tool(pattern = r"^[\b]$")]
    //~ r"^[\b]$" ~ write `\x08`
    value: String,
}

fn main() {}
