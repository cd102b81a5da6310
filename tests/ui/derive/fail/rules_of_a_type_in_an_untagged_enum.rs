use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Short(#[tool(length(max = 3))] String);

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
enum Name {
    Code(Short),
    //~ Code ~ evaluation panicked: a value that breaks a rule of this variant could be decoded as a later variant: give the enum a tag, or let the variants differ in JSON type or in required keys (with `#[serde(deny_unknown_fields)]`)
    Full(String),
}

fn main() {}
