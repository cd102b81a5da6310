use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Room {
    Small,
    Large { beds: u8 },
    //~ beds ~ write `/// …` above it, or `#[tool(undocumented)]`
}

fn main() {}
