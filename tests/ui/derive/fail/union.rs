use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
union Room { beds: u8, baths: u8 }
//~ union Room { beds: u8, baths: u8 } ~ Serde does not support derive for unions

fn main() {}
