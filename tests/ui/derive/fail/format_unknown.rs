use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(format = "datetime")]
    //~ "datetime" ~ unknown `datetime`: did you mean `date-time`?
    value: String,
}

fn main() {}
