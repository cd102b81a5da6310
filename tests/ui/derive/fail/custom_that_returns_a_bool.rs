use serde::Deserialize;
use tool_runtime::ToolInput;

fn even(value: &u8) -> bool {
    value % 2 == 0
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// Beds.
    #[tool(custom = even)]
    //~ even ~ expected `Result<(), CustomRuleError>`, found `bool`
    beds: u8,
}

fn main() {}
