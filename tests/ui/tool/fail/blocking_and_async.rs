use tool_runtime::tool;

/// Waits.
#[tool(blocking)]
//~ blocking ~ remove it, or remove `async`
async fn wait() {}

fn main() {}
