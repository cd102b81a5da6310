use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// Guests.
    #[tool(format = "email")]
    guests: Vec<String>,
    //~ Vec<String> ~ write `inner(format = "…")`
}

fn main() {}
