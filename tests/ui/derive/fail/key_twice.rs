use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(example = 1, example = 2)]
    //~ example ~ `example` was already given: remove one of the two
    value: u8,
}

fn main() {}
