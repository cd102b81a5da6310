use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room {
    /// A sentence of sixty-four characters, as people write them, of it.
    //~ /// A sentence of sixty-four characters, as people write them, of it. ~ a description has at most 1024 characters, and this one has 1055: write a shorter one with `#[tool(description = "…")]`
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
