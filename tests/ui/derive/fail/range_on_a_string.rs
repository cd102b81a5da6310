use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// Name.
    #[tool(range(max = 3))]
    name: Option<String>,
    //~ Option<String> ~ the length of a string, array or map is bounded by `length`
}

fn main() {}
