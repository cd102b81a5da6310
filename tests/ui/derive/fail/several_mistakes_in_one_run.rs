use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(crate = elsewhere)]
//~ elsewhere ~ generated code needs an absolute path: write `crate = ::elsewhere`
#[tool(ignore_unknown)]
struct Room {
    /// Beds.
    #[tool(range(min = 3, max = 2))]
    //~ 3 ~ write `range(min = 2, max = 3)`
    #[tool(wibble)]
    //~ wibble ~ unknown `wibble`: write one of `length`, `range`
    beds: u8,
    name: String,
    //~ name ~ write `/// …` above it, or `#[tool(undocumented)]`
}

fn main() {}
