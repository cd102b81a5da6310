use tool_runtime::tool;

/// Adds.
#[tool]
fn add(
    /// What.
    _: u8,
    //~ _ ~ write a name, such as `_value: u8`
) {
}

fn main() {}
