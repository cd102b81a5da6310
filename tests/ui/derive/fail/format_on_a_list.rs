use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// Guests.
    #[tool(format = "email")]
    guests: Vec<String>, //~ `format` does not apply to `Vec<
}

fn main() {}
