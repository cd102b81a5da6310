use tool_runtime::tool;

/// Counts to a number.
#[tool(timeout_ms = 5_000)]
//~ timeout_ms ~ write `async fn`, add `blocking`, or remove `timeout_ms`
fn count() {}

fn main() {}
