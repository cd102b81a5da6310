use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize)]
struct Bed;

#[derive(Deserialize, ToolInput)]
enum Room {
    Small(Bed),
    //~ Bed ~ add `#[derive(ToolInput)]` beside `#[derive(Deserialize)]` on `Bed`
    Large,
}

fn main() {}
