use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room<'a> {
    /// Name.
    name: &'a str,
    //~ &'a str ~ write `String` instead of `&'a str`
}

fn main() {}
