use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, schemars::JsonSchema)]
struct Bed(String);

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// The bed.
    #[tool(schemars, length(max = 3))]
    //~ length ~ `schemars` provides the rules of this type: remove `length`, or derive `ToolInput` for the type
    bed: Bed,
}

fn main() {}
