use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(wibble)]
    //~ wibble ~ unknown `wibble`: write one of `length`, `range`
    value: u8,
}

fn main() {}
