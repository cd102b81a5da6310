use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room(u8, #[serde(default)] u8);
//~ u8 ~ name the fields, or remove `default`

fn main() {}
