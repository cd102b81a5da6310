use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(undocumented)]
struct Room {
    name: String,
    #[serde(flatten)]
    beds: Vec<u8>,
    //~ Vec ~ evaluation panicked: a flattened type adds its keys to the enclosing object, but this type has no keys: remove `flatten`
}

fn main() {}
