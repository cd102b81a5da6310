use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(pattern = "(a")]
    //~ "(a" ~ write `\(`
    value: String,
}

fn main() {}
