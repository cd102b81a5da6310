use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(hidden = true)]
    //~ hidden ~ `hidden` takes no value: write `hidden` alone
    value: u8,
}

fn main() {}
