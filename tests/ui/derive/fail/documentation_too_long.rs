use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room {
    /// A sentence of sixty-four characters, as people write them, of it.
    //~ /// A sentence of sixty-four characters, as people write them, of it. ~ say it shorter with `#[tool(description = "…")]`
    /// A sentence of sixty-four characters, as people write them, of it.
    /// A sentence of sixty-four characters, as people write them, of it.
    /// A sentence of sixty-four characters, as people write them, of it.
    /// A sentence of sixty-four characters, as people write them, of it.
    /// A sentence of sixty-four characters, as people write them, of it.
    /// A sentence of sixty-four characters, as people write them, of it.
    /// A sentence of sixty-four characters, as people write them, of it.
    /// A sentence of sixty-four characters, as people write them, of it.
    /// A sentence of sixty-four characters, as people write them, of it.
    /// A sentence of sixty-four characters, as people write them, of it.
    /// A sentence of sixty-four characters, as people write them, of it.
    /// A sentence of sixty-four characters, as people write them, of it.
    /// A sentence of sixty-four characters, as people write them, of it.
    /// A sentence of sixty-four characters, as people write them, of it.
    /// A sentence of sixty-four characters, as people write them, of it.
    value: u8,
}

fn main() {}
