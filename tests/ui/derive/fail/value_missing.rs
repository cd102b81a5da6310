use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(pattern)]
    //~ pattern ~ `pattern` takes a value: write `pattern = …`
    value: String,
}

fn main() {}
