use tool_runtime::tool;

/// Waits.
#[tool(name = "wait", name = "pause")]
//~ name ~ `name` was already given
fn wait() {}

fn main() {}
