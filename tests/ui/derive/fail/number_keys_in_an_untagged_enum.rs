use std::collections::BTreeMap;

use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
enum Seats {
    Free(BTreeMap<u8, bool>),
    //~ BTreeMap ~ take `String` keys, or a `Vec` of key and value
    Count(u8),
}

fn main() {}
