use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room(#[tool(sensitive)] String);
//~ sensitive ~ put it on the field that holds this type

fn main() {}
