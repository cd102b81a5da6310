use tool_runtime::tool;

/// Waits.
#[tool(name = "wait", name = "pause")]
//~ name ~ `name` was already given: remove one of the two
fn wait() {}

fn main() {}
