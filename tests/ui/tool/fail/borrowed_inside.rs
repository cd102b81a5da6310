use tool_runtime::tool;

/// Joins.
#[tool]
fn join(
    /// What.
    words: Vec<&'static str>,
    //~ Vec<&'static str> ~ write `Vec<String>` instead of `Vec<&'static str>`
) -> String {
    words.concat()
}

fn main() {}
