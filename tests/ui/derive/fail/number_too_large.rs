use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(range(max = 340282366920938463463374607431768211456))]
    //~ 340282366920938463463374607431768211456 ~ an integer has at most 128 bits: write a float, such as `4e38`
    value: u128,
}

fn main() {}
