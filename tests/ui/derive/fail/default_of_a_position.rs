use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room(u8, #[serde(default)] u8); //~ a position of an array cannot be absent in a description

fn main() {}
