use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Room {
    Small,
    #[serde(rename = "Small")] //~ "Small" already names another variant
    Tiny,
}

fn main() {}
