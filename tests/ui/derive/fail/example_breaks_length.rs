use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(length(max = 2), example = "Rome")]
    //~ "Rome" ~ "Rome" does not satisfy `length` of this field: write at most 2 characters
    value: String,
}

fn main() {}
