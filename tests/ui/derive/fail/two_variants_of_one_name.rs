use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Room {
    Small,
    #[serde(rename = "Small")]
    //~ "Small" ~ give this one a name of its own, with `#[serde(rename = "…")]`
    Tiny,
}

fn main() {}
