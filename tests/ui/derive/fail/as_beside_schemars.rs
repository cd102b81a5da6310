use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(as = String, schemars)]
    //~ as ~ remove one of the two
    value: u8,
}

fn main() {}
