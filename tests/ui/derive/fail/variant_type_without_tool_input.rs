use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize)]
struct Bed;

#[derive(Deserialize, ToolInput)]
enum Room {
    Small(Bed), //~ `Bed` does not describe itself to a model
    Large,
}

fn main() {}
