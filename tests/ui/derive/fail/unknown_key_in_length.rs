use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(length(maximum = 3))]
    //~ maximum ~ unknown `maximum`: write one of `min`, `max`, `equal`
    value: String,
}

fn main() {}
