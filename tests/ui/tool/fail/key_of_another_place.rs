use tool_runtime::tool;

/// Waits.
#[tool(default = 1)]
//~ default ~ it belongs on a field or a parameter
fn wait() {}

fn main() {}
