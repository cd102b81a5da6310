use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Room {
    Small,
    #[serde(skip)]
    #[tool(description = "Large.")]
    //~ description ~ remove `#[tool(…)]` here
    Large,
}

fn main() {}
