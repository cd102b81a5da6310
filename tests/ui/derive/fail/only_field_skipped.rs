use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Room {
    Small(#[serde(skip)] u8),
    //~ u8 ~ serde does not skip the only field of a tuple struct or variant in every form: write a unit struct or variant
}

fn main() {}
