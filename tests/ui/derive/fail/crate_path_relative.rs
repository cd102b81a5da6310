use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(crate = tool_runtime)]
//~ tool_runtime ~ write `crate = ::tool_runtime`
struct Room;

fn main() {}
