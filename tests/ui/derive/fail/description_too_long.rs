use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(description = LONG)]
//~ LONG ~ a description has at most 1024 characters: say it shorter
struct Room;

const LONG: &str = match std::str::from_utf8(&[b'x'; 1025]) {
    Ok(text) => text,
    Err(_) => "",
};

fn main() {}
