use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(inner(length(min = 2)), example = ["ab", "c"])]
    //~ "c" ~ "c" does not satisfy `length` of this field: write at least 2 characters
    value: Vec<String>,
}

fn main() {}
