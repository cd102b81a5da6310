use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(crate = tool_runtime)]
//~ tool_runtime ~ generated code needs an absolute path: write `crate = ::tool_runtime`
struct Room;

fn main() {}
