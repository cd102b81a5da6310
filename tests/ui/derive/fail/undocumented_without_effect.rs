use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(undocumented)]
//~ undocumented ~ `undocumented` has no effect if every field is documented: remove it
#[tool(ignore_unknown)]
struct Room {
    /// Beds.
    beds: u8,
}

fn main() {}
