use tool_runtime::tool;

/// Waits.
#[tool(blocking)]
//~ blocking ~ `blocking` is for functions that block their thread: remove it, or remove `async`
async fn wait() {}

fn main() {}
