use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind")]
#[tool(undocumented)]
#[tool(ignore_unknown)]
enum Bed {
    Single { width: u8 },
    Double,
}

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[tool(undocumented)]
struct Room {
    name: String,
    #[serde(flatten)]
    bed: Bed,
    //~ Bed ~ evaluation panicked: `deny_unknown_fields` rejects every key of a flattened map, and of a flattened enum that is untagged or internally tagged: remove it, or remove `flatten`
}

fn main() {}
