use tool_runtime::tool;

/// Adds.
#[tool]
fn add(
    /// What.
    (a, b): (u8, u8),
    //~ (a, b) ~ write `value: (u8, u8)` and begin the body with `let (a, b) = value;`
) -> u8 {
    a + b
}

fn main() {}
