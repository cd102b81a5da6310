use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Room {
    Small,
    #[tool(sensitive)]
    //~ sensitive ~ `sensitive` has no meaning on a variant: it belongs on a field
    Large,
}

fn main() {}
