use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[serde(from = "u8")]
struct Room {
    #[tool(range(max = 3))]
    //~ range ~ serde decodes the type in `from` or `try_from` and then converts it: put `#[tool(…)]` on the fields of that type
    beds: u8,
}

impl From<u8> for Room {
    fn from(beds: u8) -> Self {
        Self { beds }
    }
}

fn main() {}
