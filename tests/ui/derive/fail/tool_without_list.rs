use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool]
    //~ #[tool] ~ write `#[tool(…)]`
    value: u8,
}

fn main() {}
