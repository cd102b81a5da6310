use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// What it is.
    #[tool(lenght(max = 3))]
    //~ lenght ~ unknown `lenght`: did you mean `length`?
    value: String,
}

fn main() {}
