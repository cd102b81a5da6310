use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Short(#[tool(length(max = 3))] String);

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
enum Name {
    Code(Short),
    //~ Code ~ let the variants differ in JSON type or in required keys
    Full(String),
}

fn main() {}
