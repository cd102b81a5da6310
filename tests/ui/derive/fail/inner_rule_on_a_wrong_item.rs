use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// Ages of the guests.
    #[tool(inner(length(max = 3)))]
    ages: Vec<u8>,
    //~ Vec ~ `length` applies to strings (counted in characters), to arrays and sets
}

fn main() {}
