use serde::Deserialize;
use tool_runtime::ToolInput;

use tool_runtime::CustomRuleError;

fn even(value: &u16) -> Result<(), CustomRuleError> {
    if value % 2 == 0 { Ok(()) } else { Err("must be even".into()) }
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// Beds.
    #[tool(custom = even)]
    //~ even ~ expected `&u16`, found `&u8`
    beds: u8,
}

fn main() {}
