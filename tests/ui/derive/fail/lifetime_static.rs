use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// Its name.
    name: &'static str,
    //~ &'static str ~ write `String` instead of `&'static str`
}

fn main() {}
