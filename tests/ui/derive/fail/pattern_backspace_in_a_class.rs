use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Key {
    /// What was pressed.
    #[tool(pattern = r"^[\b]$")]
    //~ r"^[\b]$" ~ `\b` in a class is a backspace in ECMA-262 and an error in other dialects: write `\x08` for a backspace, or `\b` outside the class for a word boundary
    value: String,
}

fn main() {}
