use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(crate = elsewhere)] //~ write `crate = ::elsewhere`
struct Room {
    /// Beds.
    #[tool(range(min = 3, max = 2))] //~ the range is empty
    #[tool(wibble)] //~ unknown `wibble`
    beds: u8,
    name: String, //~ `name` has no documentation for the model
}

fn main() {}
