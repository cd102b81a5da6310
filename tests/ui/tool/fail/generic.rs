use tool_runtime::tool;

/// Shows.
#[tool]
fn show<T: ToString>(
    //~ T ~ write a concrete type instead of the parameter `T`
    /// What.
    value: u8,
) -> String {
    value.to_string()
}

fn main() {}
