use tool_runtime::tool;

/// Greets.
#[tool]
fn greet(
    /// Whom.
    name: &str,
    //~ &str ~ write `String` instead of `&str`
) -> String {
    name.to_owned()
}

fn main() {}
