use tool_runtime::tool;

/// Waits.
#[tool(default = 1)]
//~ default ~ `default` has no meaning on a function
fn wait() {}

fn main() {}
