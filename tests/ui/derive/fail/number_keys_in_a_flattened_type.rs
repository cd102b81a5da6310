use std::collections::HashMap;

use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Shelf {
    /// Prices by number.
    prices: HashMap<u32, f64>,
}

#[derive(Deserialize, ToolInput)]
struct Shop {
    /// Name of the shop.
    name: String,
    #[serde(flatten)]
    shelf: Shelf,
    //~ Shelf ~ evaluation panicked: serde decodes this from a buffer, in which map keys are strings and never numbers: use `String` keys, or a `Vec` of key and value
}

fn main() {}
