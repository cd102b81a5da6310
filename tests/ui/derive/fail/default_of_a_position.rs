use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room(u8, #[serde(default)] u8);
//~ u8 ~ a schema cannot make one position of an array optional: name the fields, or remove `default`

fn main() {}
