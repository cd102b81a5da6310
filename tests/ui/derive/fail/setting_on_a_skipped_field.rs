use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    #[serde(skip)]
    #[tool(range(max = 3))]
    //~ range ~ remove `#[tool(…)]` here
    beds: u8,
}

fn main() {}
