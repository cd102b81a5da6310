use tool_runtime::tool;

/// Shows.
#[tool]
fn show(
    /// What.
    value: impl ToString,
    //~ impl ToString ~ write a concrete type instead of `impl ToString`
) -> String {
    value.to_string()
}

fn main() {}
