use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Room {
    Small,
    Large { beds: u8 }, //~ `beds` has no documentation for the model
}

fn main() {}
