use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize)]
struct Bed;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// The bed.
    bed: Bed, //~ `Bed` does not describe itself to a model
}

fn main() {}
