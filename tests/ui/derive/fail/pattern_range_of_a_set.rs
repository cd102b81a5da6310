use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(pattern = r"[\d-z]")]
    //~ r"[\d-z]" ~ write `\-` for the hyphen itself
    value: String,
}

fn main() {}
