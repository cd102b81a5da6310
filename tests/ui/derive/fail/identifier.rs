use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[serde(field_identifier)]
enum Key {
    //~ Key ~ serde decodes keys with this enum, not values: remove `ToolInput` from the derives
    Beds,
    Baths,
}

fn main() {}
