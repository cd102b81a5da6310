use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    #[tool(description = "a" + "b")]
    //~ "a" + "b" ~ write the description as a literal, as the path of a `const`, or as `include_str!("…")`
    value: u8,
}

fn main() {}
