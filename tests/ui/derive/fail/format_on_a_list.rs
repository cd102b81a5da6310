use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// Guests.
    #[tool(format = "email")]
    guests: Vec<String>,
    //~ Vec<String> ~ write `inner(format = "…")`
}

fn main() {}
