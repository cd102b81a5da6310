use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Change {
    /// New date; null removes it.
    due: Option<Option<u8>>,
    //~ Option<Option<u8>> ~ add `#[serde(default, deserialize_with = "tool_runtime::double_option")]`
    /// New marks.
    marks: Vec<Option<Option<u8>>>,
    //~ Option<Option<u8>> ~ write `Option<u8>`
    /// New owner.
    #[serde(deserialize_with = "tool_runtime::double_option")]
    //~ "tool_runtime::double_option" ~ add `default`
    owner: Option<Option<u8>>,
    /// New place.
    #[serde(default, deserialize_with = "tool_runtime::double_option")]
    place: Option<Option<Option<u8>>>,
    //~ Option<Option<u8>> ~ write `Option<u8>`
}

/// A pair.
#[derive(Deserialize, ToolInput)]
struct Pair(Option<Option<u8>>, (u8, Option<Option<bool>>));
//~ Option<Option<u8>> ~ `Some(None)` never occurs
//~ Option<Option<bool>> ~ `Some(None)` never occurs

/// A step.
#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
enum Step {
    Move {
        /// Where to.
        to: Option<Option<u8>>,
        //~ Option<Option<u8>> ~ which decodes `null` as `Some(None)`
    },
    Wait(Option<Option<u8>>),
    //~ Option<Option<u8>> ~ `Some(None)` never occurs
}

fn main() {}
