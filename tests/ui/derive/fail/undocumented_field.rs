use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    beds: u8,
    //~ beds ~ `beds` has no documentation for the model: write `/// …` above it, or `#[tool(undocumented)]`
}

fn main() {}
