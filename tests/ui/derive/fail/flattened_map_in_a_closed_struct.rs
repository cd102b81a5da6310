use serde::Deserialize;
use tool_runtime::ToolInput;

use std::collections::BTreeMap;

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Room {
    /// Number of the room.
    number: u16,
    #[serde(flatten)]
    others: BTreeMap<String, String>,
    //~ BTreeMap ~ remove it, or remove `flatten`
}

fn main() {}
