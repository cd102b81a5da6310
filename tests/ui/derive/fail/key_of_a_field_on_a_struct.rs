use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(length(min = 1))]
//~ length ~ `length` has no meaning on a struct or enum: it belongs on a field, a parameter or the items of `inner(…)`
struct Room(String);

fn main() {}
