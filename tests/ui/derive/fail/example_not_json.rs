use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(example = u8::MAX)]
    //~ u8::MAX ~ write a JSON value: `"x"`, `-1`
    value: u8,
}

fn main() {}
