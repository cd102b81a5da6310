use std::collections::BTreeMap;

use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Room {
    /// Number of the room.
    number: u16,
    #[serde(flatten)]
    others: BTreeMap<String, String>,
    //~ BTreeMap ~ evaluation panicked: `deny_unknown_fields` rejects every key of a flattened map, and of a flattened enum that is untagged or internally tagged: remove it, or remove `flatten`
}

fn main() {}
