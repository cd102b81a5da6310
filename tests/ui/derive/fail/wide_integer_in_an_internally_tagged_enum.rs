use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind")]
#[tool(ignore_unknown)]
enum Key {
    Long {
        /// Both halves of the key.
        halves: (u64, Option<u128>),
        //~ (u64, Option<u128>) ~ evaluation panicked: serde decodes this from a buffer, which cannot contain integers of 128 bits: use `i64` or `u64`, or a `String` of digits
    },
    Short {
        /// The key.
        key: u64,
    },
}

fn main() {}
