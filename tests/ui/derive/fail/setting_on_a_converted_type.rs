use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[serde(from = "u8")]
struct Room {
    #[tool(range(max = 3))]
    //~ range ~ the JSON has the form of the type that this type is converted from: put `#[tool(…)]` on the fields of that type
    beds: u8,
}

impl From<u8> for Room {
    fn from(beds: u8) -> Self {
        Self { beds }
    }
}

fn main() {}
