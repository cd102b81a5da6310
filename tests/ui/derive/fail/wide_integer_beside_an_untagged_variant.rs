use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Offset {
    Bytes(i128),
    //~ i128 ~ take `i64` or `u64`, or a `String` of digits
    #[serde(untagged)]
    Mark(String),
}

fn main() {}
