use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Days(#[tool(repair = "strict")] u8);
//~ repair ~ a value without a key of its own cannot have `repair`: put it on the field that holds this type

fn main() {}
