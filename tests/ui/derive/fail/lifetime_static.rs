use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// Its name.
    name: &'static str,
    //~ &'static str ~ write `String` instead of `&'static str`
}

fn main() {}
