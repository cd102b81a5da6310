use serde::Deserialize;
use tool_runtime::ToolInput;

type Due = Option<Option<u8>>;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Change {
    /// New date; null removes it.
    due: Due,
    //~ Due ~ serde decodes `null` and an absent key as the same `None`
    /// New place; null removes it.
    place: Option<Box<Option<u8>>>,
    //~ Option ~ serde decodes `null` and an absent key as the same `None`
}

fn main() {}
