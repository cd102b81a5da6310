use serde::Deserialize;
use tool_runtime::{ToolInput, tool};

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Page<T, U: Default = String, const SIZE: usize = 3>
where
    T: Clone,
{
    /// What is on it.
    #[tool(lenght(max = 3))]
    //~ lenght ~ did you mean `length`?
    items: Vec<T>,
    #[serde(skip)]
    cache: U,
}

/// Turns a page.
#[tool]
fn turn(
    /// The page.
    page: Option<Page<u8>>,
) {
}

fn main() {
    let _ = TurnTool;
}
