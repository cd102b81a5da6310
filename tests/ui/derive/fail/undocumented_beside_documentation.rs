use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(undocumented)]
    //~ undocumented ~ `undocumented` has no effect on an item with documentation: remove it
    value: u8,
}

fn main() {}
