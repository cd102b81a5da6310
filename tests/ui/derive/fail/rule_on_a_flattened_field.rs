use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Bed {
    /// Width in centimetres.
    width: u8,
}

#[derive(Deserialize, ToolInput)]
struct Room {
    #[serde(flatten)]
    #[tool(length(max = 3))]
    //~ length ~ the keys of a flattened field are in the object around it: put `length` on the fields of its type
    bed: Bed,
}

fn main() {}
