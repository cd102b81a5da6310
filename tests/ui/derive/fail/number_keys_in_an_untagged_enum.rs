use std::collections::BTreeMap;

use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
enum Seats {
    Free(BTreeMap<u8, bool>),
    //~ BTreeMap ~ evaluation panicked: serde decodes this from a buffer, in which map keys are strings and never numbers: use `String` keys, or a `Vec` of key and value
    Count(u8),
}

fn main() {}
