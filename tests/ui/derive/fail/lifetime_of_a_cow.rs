use std::borrow::Cow;

use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room<'a> {
    /// Name.
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    //~ Option<Cow<'a, str>> ~ write `Option<Cow<'static, str>>` instead of `Option<Cow<'a, str>>`
}

fn main() {}
