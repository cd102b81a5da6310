use std::collections::BTreeMap;

use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput, PartialEq, Eq, PartialOrd, Ord)]
struct Numbers(Vec<u8>);

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What is where.
    places: BTreeMap<Numbers, String>,
    //~ BTreeMap<Numbers, String> ~ cannot be the key of a map
}

fn main() {}
