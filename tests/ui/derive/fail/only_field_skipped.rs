use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Room {
    Small(#[serde(skip)] u8),
    //~ u8 ~ serde does not always skip the only field of a tuple struct or variant: write a unit struct or variant
}

fn main() {}
