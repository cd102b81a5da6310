use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(as = u64)]
    //~ as ~ `as` has an effect only together with serde's `with` or `deserialize_with`: add one of them, or change the type of the field
    value: u8,
}

fn main() {}
