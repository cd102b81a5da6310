use serde::Deserialize;
use tool_runtime::{ToolInput, tool};

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    #[tool(hidden)]
    //~ hidden ~ evaluation panicked: a model never sends a hidden field: give it a default, or make it an `Option`
    key: String,
    #[tool(hidden)]
    note: Option<String>,
}

/// Opens a door.
#[tool]
fn open(
    #[tool(hidden)]
    //~ hidden ~ evaluation panicked: a model never sends a hidden field: give it a default, or make it an `Option`
    key: String,
    #[tool(hidden, default = 3)] times: u8,
) {
    let _ = (key, times);
}

fn main() {}
