use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Room {
    Small(#[serde(skip)] u8),
    //~ u8 ~ serde reads a skipped field if it is the only one: write a unit struct or variant
}

fn main() {}
