use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Room {
    Small,
    #[serde(rename = "Small")]
    //~ "Small" ~ "Small" is already a name of another variant: write another name here, in `rename` or `alias` of `#[serde(…)]`
    Tiny,
}

fn main() {}
