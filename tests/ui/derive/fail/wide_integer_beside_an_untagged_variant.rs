use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Offset {
    Bytes(i128),
    //~ i128 ~ evaluation panicked: serde decodes this from a buffer, which cannot contain integers of 128 bits: use `i64` or `u64`, or a `String` of digits
    #[serde(untagged)]
    Mark(String),
}

fn main() {}
