use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// Whether it is free.
    #[tool(multiple_of = 2)]
    free: bool,
    //~ bool ~ `multiple_of` applies to integers and floats
}

fn main() {}
