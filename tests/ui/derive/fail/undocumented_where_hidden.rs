use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    #[serde(default)]
    #[tool(hidden, undocumented)]
    //~ undocumented ~ `undocumented` has no effect where no documentation is required: remove it
    value: u8,
}

fn main() {}
