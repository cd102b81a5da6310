use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
enum Room {
    Small,
    Large { beds: u8 },
    //~ beds ~ write `/// …` above it, or `#[tool(undocumented)]`
}

fn main() {}
