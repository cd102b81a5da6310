use tool_runtime::tool;

/// Counts.
#[tool]
fn count() -> impl std::fmt::Display {
    //~ impl std::fmt::Display ~ the result needs a concrete type: write the type instead of `impl std::fmt::Display`, or `async fn` if it is a future
    7
}

fn main() {}
