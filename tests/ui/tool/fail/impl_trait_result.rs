use tool_runtime::tool;

/// Counts.
#[tool]
fn count() -> impl std::fmt::Display {
    //~ impl std::fmt::Display ~ write its type instead of `impl std::fmt::Display`
    7
}

fn main() {}
