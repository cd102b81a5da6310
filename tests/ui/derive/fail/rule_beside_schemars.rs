use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, schemars::JsonSchema)]
struct Bed(String);

#[derive(Deserialize, ToolInput)]
struct Room {
    /// The bed.
    #[tool(schemars, length(max = 3))]
    //~ length ~ what `schemars` describes has its own rules: remove `length`
    bed: Bed,
}

fn main() {}
