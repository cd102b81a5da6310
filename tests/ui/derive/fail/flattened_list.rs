use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(undocumented)]
struct Room {
    name: String,
    #[serde(flatten)]
    beds: Vec<u8>,
    //~ Vec ~ a flattened type has keys that stand in the object around it, and this one has none: remove `flatten`
}

fn main() {}
