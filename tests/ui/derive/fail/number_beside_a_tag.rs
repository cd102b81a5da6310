use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind")]
enum Bed {
    Wide(u8),
    //~ u8 ~ evaluation panicked: an internally tagged variant adds its keys to the object with the tag, but this type has no keys: name the field, as in `Variant { value: … }`, or give the enum a `content`
    Plain,
}

fn main() {}
