use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(example = "five")]
    //~ "five" ~ the value is not an integer: write one, such as `1`
    value: u8,
}

fn main() {}
