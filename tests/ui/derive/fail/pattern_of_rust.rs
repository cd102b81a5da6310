use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(pattern = "\\A[a-z]+\\z")]
    //~ "\\A[a-z]+\\z" ~ write `^`
    value: String,
}

fn main() {}
