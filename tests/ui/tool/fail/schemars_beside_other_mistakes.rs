use serde::Deserialize;
use tool_runtime::tool;

#[derive(Deserialize)]
struct Foreign {
    #[allow(dead_code)]
    count: u8,
}

struct Unit;

/// Waits.
#[tool]
fn wait(
    /// Of another crate.
    #[tool(schemars)]
    foreign: Foreign,
    //~ Foreign ~ `Foreign: tool_runtime::__private_0_1_0::schemars::JsonSchema` is not satisfied
    /// How long.
    unit: Unit,
    //~ Unit ~ add `#[derive(ToolInput)]` beside `#[derive(Deserialize)]` on `Unit`
    /// Anything.
    #[tool(range(min = 1))]
    text: String,
    //~ String ~ `range` does not apply to `std::string::String`
    /// Whether to.
    #[tool(default = 1)]
    //~ 1 ~ the value is not a boolean
    really: bool,
) {
    let _ = (foreign, unit, text, really);
}

fn main() {}
