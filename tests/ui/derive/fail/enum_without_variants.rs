use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Room {} //~ no value can be written for an enum without variants

fn main() {}
