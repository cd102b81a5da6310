use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(description = LONG)]
//~ LONG ~ evaluation panicked: a description has at most 1024 characters: shorten it
struct Room;

const LONG: &str = match std::str::from_utf8(&[b'x'; 1025]) {
    Ok(text) => text,
    Err(_) => "",
};

fn main() {}
