use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Room {}
//~ Room ~ remove `ToolInput` from the derives

fn main() {}
