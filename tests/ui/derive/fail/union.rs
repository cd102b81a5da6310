use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
union Room { //~ Serde does not support derive for unions
    beds: u8,
    baths: u8,
}

fn main() {}
