use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(read_only)]
    //~ read_only ~ `read_only` has no meaning on a field: it belongs on a function
    value: u8,
}

fn main() {}
